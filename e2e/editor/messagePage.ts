/** A chat with one message in it, light or dark as the system is. */
export function messagePage(text: string, cameAt: Date): string {
	const time = cameAt.toISOString().slice(11, 16);
	return `<!doctype html><meta charset="utf-8"><style>
		:root { --room: #d9e4ec; --bubble: #fff; --text: #17212b; --quiet: #6d7f8f; --name: #2f7fc1; --face: #2f7fc1 }
		@media (prefers-color-scheme: dark) {
			:root { --room: #0e1621; --bubble: #182533; --text: #f1f4f7; --quiet: #7d90a3; --name: #6ab3f3; --face: #3d6f9c }
		}
		body { margin: 0; font: 16px/1.4 Inter, system-ui, "Helvetica Neue", Arial, sans-serif }
		main { box-sizing: border-box; width: 660px; padding: 22px 24px; display: flex; gap: 12px; align-items: flex-end; background: var(--room) }
		.face { flex: none; width: 40px; height: 40px; border-radius: 50%; background: var(--face); color: #fff; font-weight: 600; display: grid; place-items: center }
		.bubble { background: var(--bubble); color: var(--text); border-radius: 14px 14px 14px 4px; padding: 10px 14px 8px }
		.name { color: var(--name); font-weight: 600; font-size: 14px }
		.time { color: var(--quiet); font-size: 12px; text-align: right }
	</style><main><div class="face">B</div><div class="bubble"><div class="name">Bridge Bot</div><div>${escaped(text)}</div><div class="time">${time}</div></div></main>`;
}

function escaped(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
