/** Names, each with other ones for the same. */
type Names = Readonly<Record<string, readonly string[]>>;

/** The fields of an order in a call or in a row. Only what guards money has other names for the same; the hash has those of `isHashColumn`. */
const FIELDS: Names = {
	sourceHash: [],
	reference: [],
	// The reference of an order that has no other one.
	name: [],
	recipient: ['expectedRecipient', 'recipientAddress'],
	minimumReceived: ['receivedAtLeast', 'minReceived'],
	startedAt: [],
	replaces: [],
};

export const FIELD_NAMES = Object.keys(FIELDS);

/**
 * Which of these names another name means: one of the same letters and digits in any case, with any signs between them, or of another
 * name for the same; null if it means none.
 */
export function nameReader(names: Names): (name: string) => string | null {
	const meant = Object.entries(names).flatMap(([name, others]) =>
		[name, ...others].map((each) => [lettersAndDigits(each), name] as const),
	);
	const byLetters = new Map(meant);
	return (name) => byLetters.get(lettersAndDigits(name)) ?? null;
}

/** Which field of an order has this name; null if none has. */
export const fieldNamed = nameReader(FIELDS);

/** A name in small letters, without the signs between its words. */
export function lettersAndDigits(name: string): string {
	return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
