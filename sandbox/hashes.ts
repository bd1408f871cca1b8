import { createHash } from 'node:crypto';

const BASE58_DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Bytes as base58 text (the alphabet of Solana and Bitcoin); a leading zero byte is a leading 1. */
function base58(bytes: Uint8Array): string {
	let number = bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
	let text = '';
	while (number > 0n) {
		text = BASE58_DIGITS.charAt(Number(number % 58n)) + text;
		number /= 58n;
	}
	const firstNonZero = bytes.findIndex((byte) => byte !== 0);
	const leadingZeros = firstNonZero === -1 ? bytes.length : firstNonZero;
	return '1'.repeat(leadingZeros) + text;
}

/** 0x and 64 hex digits that depend only on the label. */
export function hexHash(label: string): string {
	return `0x${createHash('sha256').update(label).digest('hex')}`;
}

/** 0x and 40 hex digits that depend only on the label: an EVM-like address. */
export function hexAddress(label: string): string {
	return hexHash(label).slice(0, 42);
}

/** A base58 signature of 64 bytes that depends only on the label, as Solana names its transactions. */
export function base58Signature(label: string): string {
	return base58(createHash('sha512').update(label).digest());
}

/** A base58 address of 32 bytes that depends only on the label. */
export function base58Address(label: string): string {
	return base58(createHash('sha256').update(label).digest());
}

/** Whether text can be a transaction hash on some chain: 64 hex digits (0x or not), or 32 to 128 of base58. */
export function isTransactionHash(text: string): boolean {
	return /^(0x)?[0-9a-f]{64}$/i.test(text) || /^[1-9A-HJ-NP-Za-km-z]{32,128}$/.test(text);
}

/** What 0x text (hash or address) is looked up by: case means nothing in hex, but everything in base58. */
export function lookupKey(text: string): string {
	return /^0x/i.test(text) ? text.toLowerCase() : text;
}
