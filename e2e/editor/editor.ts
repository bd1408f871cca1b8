import assert from 'node:assert/strict';

import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test';

import type { N8nLine } from '../../realN8n/install/releases';
import { until } from '../../realN8n/machine/until';
import { OWNER } from '../../realN8n/server/client';
import { PATIENCE_MS } from './settings';

/** From the moment an order finishes to its line in the Executions list, which renews itself every few seconds. */
const END_SECONDS = 60;

/** How long something is waited for that a click can have missed, before the next click. */
const CLICK_AGAIN_MS = 3_000;

/** Around what lies on a canvas, in pixels; the names of nodes stand below them, and are wider. At the left is a note, or none. */
const CANVAS_MARGIN = { leftOfNote: 24, leftOfNode: 72, top: 24, right: 140, bottom: 70 };

/** Bubbles of n8n that come up by themselves over whatever is on the screen, once for each browser. */
const SEEN_BEFORE = ['N8N_PIN_DATA_DISCOVERY_NDV', 'N8N_PIN_DATA_DISCOVERY_CANVAS'];

/** Under this name the node panel shows both nodes of the package together. */
export const PACKAGE_ENTRY = 'Cross-Chain Bridge';

/** n8n's editor in a browser, and what a person does there. Each action waits for what is on the screen. */
export class Editor {
	/** Where nodes are opened: n8n 2.8 shows an execution in a frame of its own. */
	private surface: Page | FrameLocator;

	constructor(
		readonly page: Page,
		private readonly url: string,
		readonly line: N8nLine,
	) {
		this.surface = page;
	}

	/** Before the first page. */
	async prepare(): Promise<void> {
		await this.page.addInitScript(
			`for (const name of ${JSON.stringify(SEEN_BEFORE)}) localStorage.setItem(name, 'true')`,
		);
	}

	/** Does something on a screen of another size. */
	async withViewport(
		size: { width: number; height: number },
		body: () => Promise<void>,
	): Promise<void> {
		const before = this.page.viewportSize();
		await this.page.setViewportSize(size);
		try {
			await body();
		} finally {
			if (before !== null) await this.page.setViewportSize(before);
		}
	}

	/** A part of the screen under n8n's own name for it. */
	part(testId: string): Locator {
		return this.page.getByTestId(testId);
	}

	async signIn(): Promise<void> {
		await this.page.goto(`${this.url}/signin`);
		await this.page.locator('input[name="emailOrLdapLoginId"]').fill(OWNER.email);
		await this.page.locator('input[name="password"]').fill(OWNER.password);
		await this.part('form-submit-button').click();
		await this.page.waitForURL(/\/(home|workflow)\b/);
	}

	async startNewWorkflow(): Promise<void> {
		this.surface = this.page;
		await this.page.goto(`${this.url}/workflow/new`);
		await this.part('canvas-add-button').waitFor();
	}

	/** Opens a stored workflow, all of it on the canvas. */
	async openWorkflow(id: string): Promise<void> {
		this.surface = this.page;
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.part('canvas-node').first().waitFor();
		await this.part('zoom-to-fit').click();
	}

	/** The part of the screen on which the nodes and notes of the canvas lie, with a margin. */
	async areaOfCanvas(): Promise<{ x: number; y: number; width: number; height: number }> {
		const parts = await this.part('canvas-node').or(this.part('sticky')).all();
		const boxes = (await Promise.all(parts.map(async (part) => await part.boundingBox()))).filter(
			(box) => box !== null,
		);
		const hasNote = (await this.part('sticky').count()) > 0;
		const left =
			Math.min(...boxes.map(({ x }) => x)) -
			(hasNote ? CANVAS_MARGIN.leftOfNote : CANVAS_MARGIN.leftOfNode);
		const top = Math.min(...boxes.map(({ y }) => y)) - CANVAS_MARGIN.top;
		const right = Math.max(...boxes.map(({ x, width }) => x + width)) + CANVAS_MARGIN.right;
		const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + CANVAS_MARGIN.bottom;
		return { x: left, y: top, width: right - left, height: bottom - top };
	}

	/** Opens the panel from which nodes are added, on an empty canvas or on one with nodes. */
	async openNodePanel(): Promise<void> {
		const opener = this.part('canvas-add-button').or(this.part('node-creator-plus-button'));
		await opener.first().click();
		await this.part('node-creator-search-bar').click();
	}

	/** Searches in the node panel for a word that must find our nodes, and waits until it does. */
	async searchNodes(word: string): Promise<void> {
		const entry = this.nodeEntry(PACKAGE_ENTRY);
		// what an earlier word has found must not count for this one
		await this.part('node-creator-search-bar').fill('');
		await entry.waitFor({ state: 'hidden' });
		await this.part('node-creator-search-bar').fill(word);
		await entry.waitFor();
	}

	/** An entry of the node panel, be it a node or one of its actions. */
	nodeEntry(name: string): Locator {
		return this.part('node-creator-item-name').filter({ hasText: new RegExp(`^\\s*${name}\\s*$`) });
	}

	/** Adds a node by the plus after the only one on the canvas, and leaves its window open. */
	async addNextNode(name: string, entry: string): Promise<void> {
		await this.part('canvas-handle-plus').first().click();
		await this.part('node-creator-search-bar').fill(name);
		await this.nodeEntry(name).click();
		await this.unfold('Actions', entry);
		await this.nodeEntry(entry).click();
		await this.part('node-parameters').waitFor();
	}

	/** Drags a field of the input into a parameter, as one does with a mouse. */
	async dragFromInput(field: string, parameter: string): Promise<void> {
		const from = await this.part('ndv-input-panel').getByText(field, { exact: true }).boundingBox();
		const to = await this.parameter(parameter).boundingBox();
		assert.ok(from !== null && to !== null);
		const { mouse } = this.page;
		await mouse.move(from.x + from.width / 2, from.y + from.height / 2);
		await mouse.down();
		await mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 20 });
		await mouse.up();
		// A moment after that n8n opens the field and what the expression gives, above what comes next.
		const result = this.part('inline-expression-editor-output');
		await expect(result).toBeVisible();
		await expect(async () => {
			await this.part('tab-params').click();
			await expect(result).toBeHidden({ timeout: CLICK_AGAIN_MS });
		}).toPass();
	}

	/** Adds one of our actions or triggers by searching for it, and leaves its window open. */
	async addNode(word: string, kind: 'Actions' | 'Triggers', entry: string): Promise<void> {
		await this.openNodePanel();
		await this.searchNodes(word);
		await this.nodeEntry(PACKAGE_ENTRY).click();
		await this.unfold(kind, entry);
		await this.nodeEntry(entry).click();
		await this.part('node-parameters').waitFor();
	}

	/** n8n shows the triggers or the actions of a node first, and folds the others. */
	async unfold(kind: 'Actions' | 'Triggers', entry: string): Promise<void> {
		const heading = this.part('node-creator-category-item').filter({ hasText: kind });
		await heading.waitFor();
		// On a busy machine the entries come later than their heading, and a click then folds them.
		await expect(async () => {
			const shown = expect(this.nodeEntry(entry)).toBeVisible({ timeout: CLICK_AGAIN_MS });
			await shown.catch(async (error: unknown) => {
				await heading.click();
				throw error;
			});
		}).toPass();
	}

	/** Where a parameter of the open node (or credential) is entered. */
	parameter(name: string): Locator {
		return this.part(`parameter-input-${name}`);
	}

	/** Types into a parameter, as text of one line or of several. */
	async enter(name: string, text: string): Promise<void> {
		await this.parameter(name).locator('input, textarea').first().fill(text);
	}

	/** Turns a switch over. */
	async turn(name: string): Promise<void> {
		await this.parameter(name).click();
	}

	/** Chooses from an options parameter by the name that is shown. */
	async choose(name: string, option: string): Promise<void> {
		await this.parameter(name).click();
		const entries = this.part('parameter-input-item').filter({ visible: true });
		// what follows the name in an entry is its description
		await entries.filter({ hasText: new RegExp(`^\\s*${option}`) }).click();
	}

	/** Clicks into a resource locator, so that its list opens or says why there is none. */
	async openField(name: string): Promise<void> {
		await this.part(`resource-locator-${name}`).getByTestId('rlc-input').click();
	}

	/** Opens the list of a resource locator and waits for its first entry. */
	async openList(name: string): Promise<void> {
		await this.openField(name);
		await this.listEntries.first().waitFor();
	}

	/**
	 * Closes the open list by a click next to it. Escape closes it too, but hands the focus back to the field, and if that
	 * comes late the list opens again and covers the next field.
	 */
	async closeList(): Promise<void> {
		await this.part('tab-params').click();
		await this.part('resource-locator-dropdown')
			.filter({ visible: true })
			.waitFor({ state: 'hidden' });
	}

	/** The entries of the list that is open. */
	get listEntries(): Locator {
		return this.part('rlc-item').filter({ visible: true });
	}

	/** Picks an entry from the list of a resource locator, by what its name begins with. */
	async pick(name: string, entry: string): Promise<void> {
		await this.openList(name);
		await this.pickFromOpenList(entry);
	}

	/** Searches in the open list and takes the first entry whose name begins so. */
	async pickFromOpenList(entry: string): Promise<void> {
		await this.part('rlc-search').filter({ visible: true }).fill(entry);
		await this.listEntries
			.filter({ hasText: new RegExp(`^\\s*${entry}\\b`) })
			.first()
			.click();
		await this.listEntries.first().waitFor({ state: 'hidden' });
	}

	/** Waits until a resource locator shows this as chosen. */
	async untilChosen(name: string, entry: RegExp): Promise<void> {
		const input = this.part(`resource-locator-${name}`).getByTestId('rlc-input');
		await expect(input).toHaveValue(entry);
	}

	/** The window in which a credential is entered. */
	get credentialWindow(): Locator {
		return this.page.locator('.el-dialog').filter({ has: this.part('credential-edit-dialog') });
	}

	/** Begins a new credential from the open node, where there is none yet. */
	async startCredential(): Promise<void> {
		if (this.line === '2.8') {
			await this.part('node-credentials-select').click();
			await this.part('node-credentials-select-item-new').filter({ visible: true }).click();
		} else {
			await this.page.getByRole('button', { name: `Connect to ${PACKAGE_ENTRY}` }).click();
		}
		await this.credentialWindow.waitFor();
		// n8n asks its server for a name, and saves nothing without one
		await this.credentialWindow.getByText(`${PACKAGE_ENTRY} account`).last().waitFor();
	}

	async enterSecret(apiKey: string): Promise<void> {
		await this.part('editCredential-modal')
			.getByTestId('parameter-input-apiKey')
			.locator('input')
			.fill(apiKey);
	}

	async closeCredential(): Promise<void> {
		await this.credentialWindow.getByRole('button', { name: 'Close' }).click();
		await this.credentialWindow.waitFor({ state: 'hidden' });
	}

	/** Waits until the open node uses the credential of this name. */
	async untilCredential(name: string): Promise<void> {
		const input = this.part('node-credentials-select').locator('input').first();
		await expect(input).toHaveValue(name);
	}

	/** Runs the open node, and waits for its items. */
	async runNode(): Promise<void> {
		await this.part('node-execute-button').click();
		await this.items.waitFor();
	}

	/** Runs the open node, which must stop with an error: what the output says then. */
	async runNodeInVain(): Promise<string> {
		await this.part('node-execute-button').click();
		return await this.errorMessage.innerText();
	}

	/** Runs the open node, which must stop with this error; an earlier one may still be there. */
	async runNodeUntilError(message: RegExp): Promise<void> {
		await this.part('node-execute-button').click();
		await this.errorMessage.filter({ hasText: message }).waitFor();
	}

	/** The title of the error that the open node stopped with. */
	get errorMessage(): Locator {
		return this.output.getByTestId('node-error-message');
	}

	/** Adds a choice to a parameter that takes several. */
	async alsoChoose(name: string, option: string): Promise<void> {
		await this.parameter(name).click();
		await this.menuEntry(option).click();
		await this.part('tab-params').click();
	}

	/** Adds an entry of the collection Options, or of one under another name. */
	async addOption(name: string, placeholder = 'Add option'): Promise<void> {
		const entry = this.menuEntry(name);
		// On a busy machine what is still closing takes the menu with it.
		await expect(async () => {
			await this.page.getByPlaceholder(placeholder).click();
			await expect(entry).toBeVisible({ timeout: CLICK_AGAIN_MS });
		}).toPass();
		await entry.click();
	}

	/** An entry of the menu that is open, by what it begins with. */
	private menuEntry(name: string): Locator {
		return this.page
			.locator('.el-select-dropdown__item')
			.filter({ visible: true, hasText: new RegExp(`^\\s*${name}`) });
	}

	/** Imports a workflow's file by the menu of a new workflow. */
	async importFile(file: string): Promise<void> {
		await this.startNewWorkflow();
		await this.part('workflow-menu').first().click();
		// n8n 2.8 has "Import from file" in the menu, 2.40 a menu "Import" with "From file"
		const importing = this.part('workflow-menu-item-import').filter({ visible: true });
		if (this.line !== '2.8') await importing.hover();
		const entry = this.part('workflow-menu-item-import-from-file').filter({ visible: true });
		const [chooser] = await Promise.all([this.page.waitForEvent('filechooser'), entry.click()]);
		await chooser.setFiles(file);
		await this.part('canvas-node').first().waitFor();
	}

	/** A node on the canvas, by what its label begins with. */
	nodeNamed(name: string): Locator {
		return this.part('canvas-node').filter({ hasText: name }).first();
	}

	/** Drags a node a little. */
	async moveNode(name: string): Promise<void> {
		// The canvas may still be moving: what is hovered over stands still.
		await this.nodeNamed(name).hover();
		const box = await this.nodeNamed(name).boundingBox();
		if (box === null) throw new Error(`The node "${name}" is not on the canvas.`);
		const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
		await this.page.mouse.move(x, y);
		await this.page.mouse.down();
		await this.page.mouse.move(x + 60, y + 60, { steps: 5 });
		await this.page.mouse.up();
	}

	/** The notes on the canvas whose text is longer than they are high, by their beginning. */
	async cutNotes(): Promise<string[]> {
		const notes = await this.part('sticky').all();
		const cut: string[] = [];
		for (const note of notes) {
			const isCut = await note.evaluate((element) =>
				[...element.querySelectorAll('*')].some(
					(part) =>
						part.scrollHeight > part.clientHeight + 1 &&
						element.ownerDocument.defaultView?.getComputedStyle(part).overflowY !== 'visible',
				),
			);
			if (isCut) cut.push((await note.innerText()).slice(0, 40));
		}
		return cut;
	}

	/** Runs the workflow on the canvas. */
	async runWorkflow(): Promise<void> {
		await this.part('execute-workflow-button').click();
	}

	/** How many items the open node gave, in n8n's words ("1 item"). */
	get items(): Locator {
		return this.output.getByTestId('ndv-items-count');
	}

	/** Waits until the open node shows this number of items. */
	async untilItems(count: number): Promise<void> {
		await this.items.filter({ hasText: new RegExp(`^\\s*${count} items?\\b`) }).waitFor();
	}

	/** The window of the open node. */
	get nodeWindow(): Locator {
		return this.part('ndv');
	}

	/** The right column of a node's window. */
	get output(): Locator {
		return this.surface.getByTestId('output-panel');
	}

	/** Shows the output in another form. */
	async showOutputAs(form: 'schema' | 'table' | 'json'): Promise<void> {
		await this.output.getByTestId(`radio-button-${form}`).click();
	}

	/** Waits until a message of n8n has gone from the corner of the screen, closing it. */
	async closeMessages(): Promise<void> {
		const close = this.page.locator('.el-notification__closeBtn');
		while ((await close.count()) > 0) {
			// it may have gone by itself meanwhile
			await close
				.first()
				.click({ timeout: 1_000 })
				.catch(() => undefined);
		}
	}

	async closeNode(): Promise<void> {
		await this.part('ndv-close-button').click();
		await this.part('ndv').waitFor({ state: 'hidden' });
	}

	/** Saves the workflow, as a person does by the keys; n8n 2.41 also does it by itself. */
	async save(): Promise<void> {
		await this.page.keyboard.press('Control+s');
	}

	/** Removes the data of the last execution from the canvas. */
	async clearExecution(): Promise<void> {
		await this.part('clear-execution-data-button').click();
		await this.part('clear-execution-data-button').waitFor({ state: 'hidden' });
	}

	/** Copies all nodes of the canvas and pastes them; the copies have a 1 after their names. */
	async copyAllNodes(name: string): Promise<void> {
		const inClipboard = async () => await this.page.evaluate('navigator.clipboard.readText()');
		await this.page.locator('.vue-flow__pane').click({ position: { x: 30, y: 300 } });
		await this.page.evaluate("navigator.clipboard.writeText('')");
		for (const keys of ['Control+a', 'Control+c']) await this.page.keyboard.press(keys);
		// n8n puts them there a moment later.
		await until(
			`${name} in the clipboard`,
			async () => String(await inClipboard()).includes(name),
			{ seconds: PATIENCE_MS / 1000 },
		);
		await this.page.keyboard.press('Control+v');
		await this.nodeNamed(`${name}1`).waitFor();
		await this.part('zoom-to-fit').click();
	}

	/** Publishes the workflow on the screen, and gives what n8n says about it then. */
	async publish(): Promise<string> {
		await this.part('workflow-open-publish-modal-button').click();
		await this.part('workflow-publish-button').click();
		return await this.part('activation-modal').innerText();
	}

	/** Publishes the workflow on the screen, which n8n must refuse with this sentence. */
	async publishInVain(sentence: string): Promise<void> {
		await this.part('workflow-open-publish-modal-button').click();
		await this.part('workflow-publish-button').click();
		await this.page
			.locator('.el-notification')
			.filter({ hasText: sentence })
			// n8n 2.8 may say it twice
			.first()
			.waitFor({ timeout: END_SECONDS * 1000 });
	}

	async closePublished(): Promise<void> {
		await this.part('activation-modal').getByRole('button', { name: 'Got it' }).click();
		await this.part('activation-modal').waitFor({ state: 'hidden' });
	}

	/** Goes to the list of the workflow's executions. */
	async openExecutions(): Promise<void> {
		await this.part('radio-button-executions').click();
		await this.part('execution-time').first().waitFor();
	}

	/** Opens the list of a stored workflow's executions, with the newest one on the canvas. */
	async openExecutionsOf(id: string): Promise<void> {
		this.surface = this.page;
		await this.page.goto(`${this.url}/workflow/${id}/executions`);
		await this.part('execution-time').first().waitFor();
		await this.page.waitForURL(/\/executions\/\d+/);
		await this.showExecution();
	}

	/** Makes something happen that starts an execution, and opens that when the list shows it, as succeeded. */
	async newExecution(happening: () => Promise<void>): Promise<void> {
		const before = new Set(await this.listedExecutions());
		await happening();
		const isNew = async () => (await this.listedExecutions()).find((id) => !before.has(id));
		const id = await until('a new execution in the list', isNew, { seconds: END_SECONDS });
		await this.part(`execution-details-${id}`).click();
		await this.page.waitForURL(`**/executions/${id}`);
		// the canvas of the execution that was open before stays there for a moment; on a fresh page it cannot be mistaken
		await this.page.reload();
		await this.part(`execution-preview-details-${id}`).getByText('Succeeded').waitFor();
		await this.showExecution();
	}

	/** Waits for the canvas of the execution that is open, which succeeded. */
	private async showExecution(): Promise<void> {
		if (this.line === '2.8')
			this.surface = this.page.frameLocator('[data-test-id="workflow-preview-iframe"]');
		await this.surface.getByTestId('canvas-node-status-success').first().waitFor();
	}

	/** The ids of the executions in the list, in no certain order while it renews itself. */
	private async listedExecutions(): Promise<string[]> {
		const prefix = 'execution-details-';
		const entries = await this.part('current-executions-list')
			.locator(`[data-test-id^="${prefix}"]`)
			.all();
		const names = await Promise.all(
			entries.map(async (entry) => await entry.getAttribute('data-test-id')),
		);
		return names.flatMap((name) => (name === null ? [] : [name.slice(prefix.length)]));
	}

	/** Opens a node of the workflow on the canvas. */
	async openNode(name: string): Promise<void> {
		await this.nodeNamed(name).dblclick();
		await this.part('node-parameters').waitFor();
	}

	/** Opens the first node of the execution (or workflow) on the screen. */
	async openFirstNode(): Promise<void> {
		await this.surface.getByTestId('canvas-node').first().dblclick();
		await this.output.waitFor();
	}
}
