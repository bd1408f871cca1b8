const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const LONGEST_SAFE_NUMBER = 15;

/**
 * JSON.parse that keeps every whole number exact: one beyond 2^53 becomes the text of its digits,
 * where JSON.parse would round it. Throws a SyntaxError as JSON.parse does.
 */
export function parseJsonExactly(text: string): unknown {
	return JSON.parse(
		text.replace(STRING_OR_NUMBER, (token) => {
			const mayBeRounded = token.length > LONGEST_SAFE_NUMBER && /^-?\d+$/.test(token);
			return mayBeRounded && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token;
		}),
	);
}
