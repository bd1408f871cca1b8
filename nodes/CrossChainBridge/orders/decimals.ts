import { decimalsOrNull } from './amounts';
import { agreedNativeDecimals, isNativeAddress } from './networks';
import { legChainId, networksWithId, type OrderReading } from './orderReading';
import { caselessHex, exactTextOrNull, field } from './values';

/**
 * Where a token's decimals are known from: the order or quote itself, the service's configuration (native tokens only), or
 * the user's option Token Decimals. Items show these words, so they say what they mean.
 */
export type DecimalsSource = 'service' | 'networkConfig' | 'tokenDecimalsOption';

export interface KnownDecimals {
	decimals: number;
	from: DecimalsSource;
}

/**
 * The decimals of a leg's token; null where nothing states them. Never guessed: the configuration's `decimals` are those
 * of the base token only, and a network that is listed twice with different ones states none.
 */
export function decimalsOf(leg: unknown, reading: OrderReading): KnownDecimals | null {
	const [stated, ...others] = new Set(
		[field(leg, 'decimals'), field(leg, 'tokenDecimals')]
			.map(decimalsOrNull)
			.filter((decimals) => decimals !== null),
	);
	if (others.length > 0) return null;
	if (stated !== undefined) return { decimals: stated, from: 'service' };
	const token = exactTextOrNull(field(leg, 'token'));
	if (token === null) return null;
	const ofNative = decimalsOfNative(leg, token, reading);
	if (ofNative !== null) return { decimals: ofNative, from: 'networkConfig' };
	const byUser = reading.tokenDecimals.get(caselessHex(token));
	return byUser === undefined ? null : { decimals: byUser, from: 'tokenDecimalsOption' };
}

function decimalsOfNative(leg: unknown, token: string, reading: OrderReading): number | null {
	return agreedNativeDecimals(
		networksWithId(reading, legChainId(leg)).filter((network) => isNativeAddress(network, token)),
	);
}
