import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';

import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

import type { JsonObject } from '../../realN8n/server/types';

const HOST = '127.0.0.1';

export interface ReceivedMail {
	from: string;
	/** Who got it, by the envelope: what was really delivered. */
	recipients: string[];
	subject: string;
	text: string;
}

/** A mail server that keeps what it is given: on loopback, without TLS, for everybody. */
export class MailSink {
	private readonly received: ReceivedMail[] = [];
	private readonly toRefuse: string[] = [];
	private readonly server: SMTPServer;

	private constructor() {
		this.server = new SMTPServer({
			authOptional: true,
			disabledCommands: ['AUTH', 'STARTTLS'],
			disableReverseLookup: true,
			onData: (stream, session, done) => {
				const recipients = session.envelope.rcptTo.map(({ address }) => address);
				this.take(stream, recipients).then(() => done(), done);
			},
		});
	}

	/** Listens on a free port. */
	static async start(): Promise<MailSink> {
		const sink = new MailSink();
		sink.server.listen(0, HOST);
		await once(sink.server.server, 'listening');
		return sink;
	}

	/** The data of an SMTP credential of n8n that leads here. */
	get credentialData(): JsonObject {
		const { port } = this.server.server.address() as AddressInfo;
		return { user: '', password: '', host: HOST, port, secure: false, disableStartTls: true };
	}

	/** All mails so far whose text contains these words. */
	mailsAbout(words: string): ReceivedMail[] {
		return this.received.filter(({ text }) => text.includes(words));
	}

	/** The next mail whose text contains these words is refused, as by a full mailbox; it does not count as received. */
	refuseNext(words: string): void {
		this.toRefuse.push(words);
	}

	async stop(): Promise<void> {
		await new Promise<void>((resolve) => this.server.close(() => resolve()));
	}

	private async take(stream: Readable, recipients: string[]): Promise<void> {
		// read whole also when it is refused: the connection stays open
		const raw = Buffer.concat(await stream.toArray());
		const { from, subject, text = '' } = await PostalMime.parse(raw);
		const index = this.toRefuse.findIndex((words) => text.includes(words));
		if (index !== -1) {
			this.toRefuse.splice(index, 1);
			throw Object.assign(new Error('The mailbox is full'), { responseCode: 452 });
		}
		this.received.push({
			from: from?.address ?? '',
			recipients,
			subject: subject ?? '',
			text: text.trim(),
		});
	}
}
