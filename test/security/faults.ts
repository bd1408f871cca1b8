import zlib from 'node:zlib';

import { type Behavior, httpAnswer } from './rawServer';

/** What can go wrong between a request and the last byte of its answer. */

const ORDER = {
	orderId: '0x01',
	status: 'completed',
	input: { chainId: 1, amount: '1' },
	output: { chainId: 2, amount: '1' },
	timing: { createdAt: 1, completedAt: 10 },
};

/** An answer that all three endpoints could give. */
export const SOUND_BODY = JSON.stringify({
	success: true,
	data: {
		...ORDER,
		networks: [{ chainID: 1, name: 'One', baseToken: 'ETH', decimals: 18, tokens: {} }],
	},
});

export const sound: Behavior = (socket) => void socket.end(httpAnswer(SOUND_BODY));

/** The configuration is sound, and the order is not finished yet. */
export const pending: Behavior = (socket, request) => {
	const data = (JSON.parse(SOUND_BODY) as { data: object }).data;
	void socket.end(
		httpAnswer(
			request?.includes('/config') === true
				? SOUND_BODY
				: JSON.stringify({ success: true, data: { ...data, status: 'pending' } }),
		),
	);
};

const JSON_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const HEAD = `${JSON_HEAD}Content-Length: ${SOUND_BODY.length}\r\n`;
const HEAD_WITHOUT_LENGTH = `${JSON_HEAD.replace('1.1', '1.0')}\r\n`;

/** So much before the connection is reset (RST); the other side has read it by then. */
function thenReset(bytes: string): Behavior {
	return (socket) => void socket.write(bytes, () => setImmediate(() => socket.resetAndDestroy()));
}

/** So much before the connection is closed as if all had been said. */
function thenClosed(bytes: string): Behavior {
	return (socket) => void socket.end(bytes);
}

export const resetBeforeHeaders: Behavior = (socket) => void socket.resetAndDestroy();
export const closedBeforeHeaders = thenClosed('');
export const resetInHeaders = thenReset('HTTP/1.1 200 OK\r\nContent-Ty');
export const closedInHeaders = thenClosed('HTTP/1.1 200 OK\r\nContent-Ty');
export const resetAfterHeaders = thenReset(`${HEAD}\r\n`);
export const resetInBody = thenReset(`${HEAD}\r\n${SOUND_BODY.slice(0, 40)}`);
export const closedInBody = thenClosed(`${HEAD}\r\n${SOUND_BODY.slice(0, 40)}`);
export const closedInChunk = thenClosed(
	`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${(40).toString(16)}\r\n${SOUND_BODY.slice(0, 20)}`,
);

/** Finishes by closing the connection, as HTTP/1.0 without a length does: nothing says whether the body is complete. */
export const http10 = thenClosed(HEAD_WITHOUT_LENGTH + SOUND_BODY);
export const http10Half = thenClosed(HEAD_WITHOUT_LENGTH + SOUND_BODY.slice(0, 40));

/** Byte by byte, each after the one before has gone out, so that no pause is ever long. `onByte`: so many are out. */
function dripping(start: string, endless: string, onByte: (count: number) => void): Behavior {
	return (socket) => {
		let count = 0;
		const next = (): void => {
			onByte(++count);
			if (!socket.destroyed) socket.write(endless, () => setImmediate(next));
		};
		socket.write(start, next);
	};
}

export const drippingHeaders = (onByte: (count: number) => void): Behavior =>
	dripping('HTTP/1.1 200 OK\r\nX-Long: ', 'a', onByte);
export const drippingBody = (onByte: (count: number) => void): Behavior =>
	dripping(`${JSON_HEAD}Content-Length: 4000000\r\n\r\n{"success":true,"data":{"a":"`, 'a', onByte);

/** The same without end, as fast as it goes. */
export const endlessBody: Behavior = (socket) => {
	const piece = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
	const next = (): void => {
		if (!socket.destroyed) socket.write(piece, () => setImmediate(next));
	};
	socket.write(`${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n`, next);
};

export const hugeHeaders: Behavior = (socket) =>
	void socket.end(httpAnswer(SOUND_BODY, { headers: { 'X-Long': 'a'.repeat(300_000) } }));

export function redirect(status: string, to: string): Behavior {
	return (socket) => void socket.end(httpAnswer('{}', { status, headers: { Location: to } }));
}

const MEGABYTE = 1_000_000;

/** A bomb: so many megabytes of JSON that is one long text, packed to a thousandth. Packed parts in a row are one. */
export function bomb(megabytes: number, packing: 'gzip' | 'deflate' | 'br'): Behavior {
	const packed =
		packing === 'gzip'
			? gzipBomb(megabytes)
			: pack(packing, Buffer.alloc(megabytes * MEGABYTE, 'a'));
	return withHeader('Content-Encoding', packing, packed);
}

function pack(packing: 'deflate' | 'br', bytes: Buffer): Buffer {
	return packing === 'br'
		? zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })
		: zlib.deflateSync(bytes);
}

function gzipBomb(megabytes: number): Buffer {
	const part = zlib.gzipSync(Buffer.alloc(MEGABYTE, 'a'));
	return Buffer.concat([
		zlib.gzipSync('{"success":true,"data":{"a":"'),
		...Array.from({ length: megabytes }, () => part),
		zlib.gzipSync('"}}'),
	]);
}

const withHeader =
	(name: string, value: string, body: string | Buffer): Behavior =>
	(socket) =>
		void socket.end(httpAnswer(body, { headers: { [name]: value } }));

export const gzipped = withHeader('Content-Encoding', 'gzip', zlib.gzipSync(SOUND_BODY));
export const brokenGzip = withHeader('Content-Encoding', 'gzip', 'this is not packed');
export const halfGzip = withHeader(
	'Content-Encoding',
	'gzip',
	zlib.gzipSync(SOUND_BODY).subarray(0, 60),
);
export const wrongType = (type: string, body: string) => withHeader('Content-Type', type, body);

export const notHttp: Behavior = (socket) => void socket.end('220 mail.example ESMTP ready\r\n');

/** What a web server says to one who does not speak HTTP to it. */
export const badRequest: Behavior = (socket) =>
	void socket.end(httpAnswer('', { status: '400 Bad Request' }));
