import axios from 'axios';

import { until } from '../../realN8n/machine/until';
import type { StoredWorkflow } from '../../realN8n/server/types';
import type { Scene } from './examplesScene';
import { PATIENCE_SECONDS } from './stage';

/** A form of n8n as a browser goes through it, page by page. */
export class FilledForm {
	/** The pages that were shown so far. */
	readonly pages: string[] = [];

	private constructor(private readonly url: string) {}

	/** Submits the first page, with the values of its fields. */
	static async submit(
		{ rehearsal: { n8n } }: Scene,
		workflow: StoredWorkflow,
		values: string[],
	): Promise<FilledForm> {
		const form = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
		const { data } = await axios.postForm<{ formWaitingUrl: string }>(
			`${n8n.url}/form/${String(form?.webhookId)}`,
			named(values),
		);
		return new FilledForm(data.formWaitingUrl);
	}

	/** Submits the page that is shown. */
	async next(values: string[]): Promise<void> {
		// Where n8n leads to the next page, a browser asks for it with GET.
		await axios.postForm(this.url, named(values), {
			maxRedirects: 0,
			timeout: 60_000,
			validateStatus: (status) => status < 400,
		});
	}

	/** The page that is shown next, which has to have this text. */
	async shows(text: RegExp): Promise<string> {
		let last = '';
		return await until(
			`the form to show ${String(text)}`,
			async () => {
				// n8n may leave a request unanswered that comes while it is writing down that the execution waits
				const page = await axios
					.get<string>(this.url, { timeout: 5_000, validateStatus: () => true })
					.catch(() => null);
				last = page?.status === 200 ? page.data.replace(/<(style|script)[^]*?<\/\1>/g, '') : last;
				if (!text.test(last)) return null;
				this.pages.push(last);
				return last;
			},
			{ seconds: PATIENCE_SECONDS },
		).catch((error: unknown) => {
			throw new Error(`${String(error)}, not ${last.replace(/\s+/g, ' ').slice(0, 3_000)}`);
		});
	}
}

function named(values: string[]): Record<string, string> {
	return Object.fromEntries(values.map((value, index) => [`field-${index}`, value]));
}
