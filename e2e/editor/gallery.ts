import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { Locator, Page } from 'playwright-core';

import { PROJECT_FOLDER } from '../paths';

/** The pictures of the last run; git ignores them. */
export const PICTURES_FOLDER = resolve(PROJECT_FOLDER, '.cache', 'editor');

/** The pictures that the documents show. */
const IMAGES_FOLDER = join(PROJECT_FOLDER, 'docs', 'images');

const EXAMPLE_IMAGES_FOLDER = join(PROJECT_FOLDER, 'examples', 'images');

export type Theme = 'light' | 'dark';

/** Pictures of what is on the screen, numbered in the order in which they were taken. */
export class Gallery {
	private count = 0;

	/** @param keepImages whether pictures with a name for the documents are also put there */
	constructor(
		private readonly page: Page,
		private readonly keepImages: boolean,
	) {
		rmSync(PICTURES_FOLDER, { recursive: true, force: true });
		mkdirSync(PICTURES_FOLDER, { recursive: true });
	}

	/** The whole screen. */
	async take(name: string): Promise<void> {
		await this.capture(this.page, name);
	}

	/** A picture for the documents, of the whole screen or a part of it. */
	async takeForDocuments(name: string, part: Page | Locator = this.page): Promise<void> {
		const path = await this.capture(part, name);
		if (this.keepImages) copyFileSync(path, join(IMAGES_FOLDER, `${name}.png`));
	}

	/** An example's picture, of an area of the screen. */
	async takeOfExample(name: string, clip: { x: number; y: number; width: number; height: number }): Promise<void> {
		const path = this.nextPath(`example-${name}`);
		await this.page.screenshot({ path, clip, animations: 'disabled' });
		if (this.keepImages) copyFileSync(path, join(EXAMPLE_IMAGES_FOLDER, `${name}.png`));
	}

	/** As `takeForDocuments`, in both themes; the dark picture's name ends in -dark. */
	async takeBothForDocuments(name: string, part: Page | Locator = this.page): Promise<void> {
		await this.takeForDocuments(name, part);
		await this.inTheDark(async () => await this.takeForDocuments(`${name}-dark`, part));
	}

	/** The whole screen in both themes, to be looked at. */
	async takeInBothThemes(name: string): Promise<void> {
		await this.take(name);
		await this.inTheDark(async () => await this.take(`${name}-dark`));
	}

	private async inTheDark(body: () => Promise<void>): Promise<void> {
		try {
			await this.show('dark');
			await body();
		} finally {
			await this.show('light');
		}
	}

	/** The editor follows the system's colours, and has done so when an icon of ours is the one of that theme. */
	private async show(theme: Theme): Promise<void> {
		await this.page.emulateMedia({ colorScheme: theme });
		const icon = theme === 'dark' ? 'bridge.dark.svg' : 'bridge.svg';
		// some and not all: n8n leaves a few icons that are on the screen already as they are
		await this.page.waitForFunction(
			`[...document.images].every((image) => image.complete) && document.querySelector('img[src$="/${icon}"]')`,
		);
	}

	private async capture(part: Page | Locator, name: string): Promise<string> {
		const path = this.nextPath(name);
		await part.screenshot({ path, animations: 'disabled' });
		return path;
	}

	private nextPath(name: string): string {
		this.count += 1;
		return join(PICTURES_FOLDER, `${String(this.count).padStart(2, '0')}-${name}.png`);
	}
}
