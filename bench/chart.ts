/** A line of the chart: seconds by orders at once. */
export interface ChartLine {
	name: string;
	kind: 'ours' | 'loop' | 'minute' | 'bound';
	points: ReadonlyArray<{ orders: number; seconds: number }>;
}

export type Theme = 'light' | 'dark';

interface Colors {
	text: string;
	quiet: string;
	grid: string;
	lines: Record<ChartLine['kind'], string>;
}

const COLORS: Record<Theme, Colors> = {
	light: {
		text: '#1f2328',
		quiet: '#59636e',
		grid: '#d1d9e0',
		lines: { ours: '#0969da', loop: '#bc4c00', minute: '#59636e', bound: '#0969da' },
	},
	dark: {
		text: '#f0f6fc',
		quiet: '#9198a1',
		grid: '#3d444d',
		lines: { ours: '#4493f8', loop: '#f0883e', minute: '#9198a1', bound: '#4493f8' },
	},
};

const WIDTH = 760;
const HEIGHT = 400;
const PLOT = { left: 56, right: 560, top: 24, bottom: 340 };
/** Between two names at the right, so that none lies upon another. */
const NAME_HEIGHT = 18;
const SECONDS_BETWEEN_LINES = 20;

/** Draws mean seconds over orders at once, as SVG text. The orders' axis is logarithmic. */
export function chartOf(lines: readonly ChartLine[], theme: Theme): string {
	const colors = COLORS[theme];
	const all = lines.flatMap(({ points }) => points);
	const counts = [...new Set(all.map(({ orders }) => orders))].sort((a, b) => a - b);
	const maxSeconds =
		Math.ceil(Math.max(...all.map(({ seconds }) => seconds)) / SECONDS_BETWEEN_LINES) *
		SECONDS_BETWEEN_LINES;
	const x = (orders: number): number =>
		PLOT.left +
		(Math.log(orders / (counts[0] ?? 1)) / Math.log((counts.at(-1) ?? 2) / (counts[0] ?? 1))) *
			(PLOT.right - PLOT.left);
	const y = (seconds: number): number =>
		PLOT.bottom - (seconds / maxSeconds) * (PLOT.bottom - PLOT.top);

	const grid = Array.from(
		{ length: maxSeconds / SECONDS_BETWEEN_LINES + 1 },
		(_, index) => index * SECONDS_BETWEEN_LINES,
	).map(
		(seconds) =>
			`<line x1="${PLOT.left}" x2="${PLOT.right}" y1="${at(y(seconds))}" y2="${at(y(seconds))}" stroke="${colors.grid}"/>` +
			label(PLOT.left - 8, y(seconds) + 4, `${seconds}`, colors.quiet, 'end'),
	);
	const ticks = counts.map((orders) =>
		label(x(orders), PLOT.bottom + 20, `${orders}`, colors.quiet, 'middle'),
	);
	const drawn = lines.map(({ kind, points }) => {
		const path = points.map(({ orders, seconds }) => `${at(x(orders))},${at(y(seconds))}`);
		const width = kind === 'ours' ? 3 : 2;
		const dashes = kind === 'bound' ? ' stroke-dasharray="3 5"' : '';
		return `<polyline points="${path.join(' ')}" fill="none" stroke="${colors.lines[kind]}" stroke-width="${width}"${dashes}/>`;
	});
	const names = placed(lines.map(({ points }) => y(points.at(-1)?.seconds ?? 0))).map(
		(top, index) => {
			const { name = '', kind = 'ours' } = lines[index] ?? {};
			return label(PLOT.right + 10, top + 4, name, colors.lines[kind], 'start', kind === 'ours');
		},
	);
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="13">`,
		...grid,
		...ticks,
		label(PLOT.left, 14, 'seconds', colors.text, 'start'),
		label((PLOT.left + PLOT.right) / 2, HEIGHT - 16, 'open orders at once', colors.text, 'middle'),
		...drawn,
		...names,
		'</svg>',
		'',
	].join('\n');
}

function label(
	left: number,
	top: number,
	text: string,
	color: string,
	anchor: 'start' | 'middle' | 'end',
	isBold = false,
): string {
	return `<text x="${at(left)}" y="${at(top)}" fill="${color}" text-anchor="${anchor}"${isBold ? ' font-weight="600"' : ''}>${text}</text>`;
}

const at = (pixels: number): string => pixels.toFixed(1);

/** The heights of names next to their lines, moved down where they would lie upon one another. */
function placed(tops: readonly number[]): number[] {
	const moved: number[] = [...tops];
	let last = Number.NEGATIVE_INFINITY;
	for (const index of [...tops.keys()].sort((a, b) => (tops[a] ?? 0) - (tops[b] ?? 0))) {
		last = Math.max(tops[index] ?? 0, last + NAME_HEIGHT);
		moved[index] = last;
	}
	return moved;
}
