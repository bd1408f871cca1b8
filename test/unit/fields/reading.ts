import { FieldReader } from '../../../nodes/CrossChainBridge/fields/reader';

/** A field that was refused: what is wrong, and what would fit. */
export class Refused extends Error {
	constructor(
		override readonly message: string,
		readonly description: string,
	) {
		super(message);
	}
}

/** A reader of fields that have these values; the others were left out. */
export const fieldsWith = (values: Record<string, unknown>, areAdded = false): FieldReader =>
	new FieldReader(
		({ name }, otherwise) => (name in values ? values[name] : otherwise),
		(message, description) => new Refused(message, description),
		areAdded,
	);

/** The mistake in a value; null if it is right. */
export function problemOf(read: () => unknown): { message: string; description: string } | null {
	try {
		read();
		return null;
	} catch (error) {
		if (!(error instanceof Refused)) throw error;
		return { message: error.message, description: error.description };
	}
}
