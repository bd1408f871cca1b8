import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Locator, Page } from '@playwright/test';

import { PROJECT_FOLDER } from '../../realN8n/machine/paths';
import { PICTURES_FOLDER } from './settings';

/** The pictures that the documents show. */
const IMAGES_FOLDER = join(PROJECT_FOLDER, 'docs', 'images');

const EXAMPLE_IMAGES_FOLDER = join(PROJECT_FOLDER, 'examples', 'images');

/** Of the screen, in pixels. */
interface Area {
	x: number;
	y: number;
	width: number;
	height: number;
}

type Theme = 'light' | 'dark';

/** Pictures of what is on the screen, in a folder of their own, numbered in the order in which they were taken. */
export class Gallery {
	private count = 0;
	private readonly folder: string;

	/** @param keepImages whether pictures with a name for the documents are also put there */
	constructor(
		private readonly page: Page,
		name: string,
		private readonly keepImages: boolean,
	) {
		this.folder = join(PICTURES_FOLDER, name.replace(/[^\w-]+/g, '-'));
		rmSync(this.folder, { recursive: true, force: true });
		mkdirSync(this.folder, { recursive: true });
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

	/** An example's pictures in both themes, of an area of the screen. */
	async takeOfExample(name: string, clip: Area): Promise<void> {
		await this.takeArea(name, clip, EXAMPLE_IMAGES_FOLDER);
	}

	/** As `takeBothForDocuments`, of an area of the screen. */
	async takeAreaForDocuments(name: string, clip: Area): Promise<void> {
		await this.takeArea(name, clip, IMAGES_FOLDER);
	}

	private async takeArea(name: string, clip: Area, folder: string): Promise<void> {
		const takeAs = async (picture: string): Promise<void> => {
			const path = this.nextPath(picture);
			await this.page.screenshot({ path, clip, animations: 'disabled' });
			if (this.keepImages) copyFileSync(path, join(folder, `${picture}.png`));
		};
		await takeAs(name);
		await this.inTheDark(async () => await takeAs(`${name}-dark`));
	}

	/** As `takeForDocuments`, in both themes; the dark picture's name ends in -dark. */
	async takeBothForDocuments(name: string, part: Page | Locator = this.page): Promise<void> {
		await this.takeForDocuments(name, part);
		await this.inTheDark(async () => await this.takeForDocuments(`${name}-dark`, part));
	}

	/** As `takeBothForDocuments`, of a page that is given as HTML and stays open no longer than that. */
	async takePageForDocuments(name: string, html: string): Promise<void> {
		const page = await this.page.context().newPage();
		try {
			await page.setContent(html);
			for (const colorScheme of ['light', 'dark'] as const) {
				await page.emulateMedia({ colorScheme });
				await this.takeForDocuments(
					colorScheme === 'dark' ? `${name}-dark` : name,
					page.locator('main'),
				);
			}
		} finally {
			await page.close();
		}
	}

	/** The whole screen in both themes, for a person to judge. */
	async takeBothThemes(name: string): Promise<void> {
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

	/** The editor follows the system's colors, and has done so when an icon of ours is the one of that theme. */
	private async show(theme: Theme): Promise<void> {
		await this.page.emulateMedia({ colorScheme: theme });
		const icon = theme === 'dark' ? 'bridge.dark.svg' : 'bridge.svg';
		// some and not all: n8n leaves a few icons that are on the screen already as they are. An example may have none of ours.
		await this.page.waitForFunction(
			`[...document.images].every((image) => image.complete) &&
				(document.querySelector('img[src*="/bridge."]') === null || document.querySelector('img[src$="/${icon}"]') !== null)`,
		);
	}

	private async capture(part: Page | Locator, name: string): Promise<string> {
		const path = this.nextPath(name);
		await part.screenshot({ path, animations: 'disabled' });
		return path;
	}

	private nextPath(name: string): string {
		this.count += 1;
		return join(this.folder, `${String(this.count).padStart(2, '0')}-${name}.png`);
	}
}
