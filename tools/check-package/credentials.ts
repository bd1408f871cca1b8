import ts from 'typescript';

/** A node as n8n sees it, as far as credentials go. */
export interface DescribedNode {
	name: string;
	credentials?: ReadonlyArray<{ name: string }>;
}

/**
 * n8n's rule for community packages: a node may use credentials of its own package only. The scanner sees a name only if it stands
 * there as a literal, so this reads what the built nodes say, however they came to say it.
 * @param own the names of the credentials that the package brings
 * @returns a sentence for each credential of somebody else
 */
export function foreignCredentials(
	nodes: readonly DescribedNode[],
	own: readonly string[],
): string[] {
	return nodes.flatMap(({ name: node, credentials = [] }) =>
		credentials
			.filter(({ name }) => !own.includes(name))
			.map(
				({ name }) => `The node ${node} uses the credential ${name}, which is not in this package.`,
			),
	);
}

/**
 * The places where the source of a node names a credential otherwise than by a literal, so that neither the scanner nor a person
 * who reads the node's description sees it there.
 * @returns a sentence for each of them
 */
export function hiddenCredentials(file: string, source: string): string[] {
	const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isPropertyAssignment(node) && node.name.getText() === 'credentials') {
			const entries = ts.isArrayLiteralExpression(node.initializer)
				? [...node.initializer.elements]
				: [node.initializer];
			for (const entry of entries.filter((each) => !hasLiteralName(each))) {
				const { line } = parsed.getLineAndCharacterOfPosition(entry.getStart());
				found.push(`${file}:${line + 1} names a credential by other means than a literal.`);
			}
		}
		ts.forEachChild(node, visit);
	};
	visit(parsed);
	return found;
}

function hasLiteralName(entry: ts.Expression): boolean {
	return (
		ts.isObjectLiteralExpression(entry) &&
		entry.properties.some(
			(property) =>
				ts.isPropertyAssignment(property) &&
				property.name.getText() === 'name' &&
				ts.isStringLiteralLike(property.initializer),
		)
	);
}
