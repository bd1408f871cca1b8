import ts from 'typescript';

import {
	CODE_IDIOMS,
	FOR_USERS,
	QUOTED,
	USER_WORD_RULES,
	WORD_RULES,
	type WordRule,
} from './rules';

/** A word that is ruled out, and where. */
export interface Finding {
	/** From 1. */
	line: number;
	found: string;
	say: string;
}

/** A piece of text for readers, and the line on which it begins, from 1. */
interface Passage {
	line: number;
	text: string;
}

const blank = (block: string): string => block.replace(/[^\n]/g, '');

/** What a document says: without blocks of code, code in a line, and the targets of links. Lines stay where they are. */
function proseOf(markdown: string): string {
	return markdown
		.replace(/^```[\s\S]*?^```/gm, blank)
		.replace(/<!--[\s\S]*?-->/g, blank)
		.replace(/`[^`\n]*`/g, ' ')
		.replace(/\]\([^)\s]*\)/g, ']');
}

/** What a document says. Sentences may go over several lines. */
export function findInDocument(name: string, markdown: string): Finding[] {
	const passage = { line: 1, text: proseOf(markdown) };
	return FOR_USERS.test(name) ? findForUsers(passage) : findIn(passage, WORD_RULES);
}

/** What users read in the editor: every string of the source that is more than one word, where no idiom is allowed. */
export function findInSource(fileName: string, code: string): Finding[] {
	const source = ts.createSourceFile(fileName, code, ts.ScriptTarget.ES2022, true);
	const passages: Passage[] = [];
	const visit = (node: ts.Node): void => {
		const isText =
			ts.isStringLiteralLike(node) ||
			ts.isTemplateHead(node) ||
			ts.isTemplateMiddleOrTemplateTail(node);
		if (isText && /\p{L} \p{L}/u.test(node.text)) {
			passages.push({
				line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1,
				text: node.text.replaceAll('\n', ' '),
			});
		}
		node.forEachChild(visit);
	};
	visit(source);
	return passages.flatMap(findForUsers);
}

/**
 * What code says anywhere: in comments, names of tests, variables and the file, and texts. `fooBar` and `FOO_BAR` are read as the
 * words that they consist of, and a comment of several lines as one text.
 */
export function findInCode(file: string, code: string): Finding[] {
	const own = QUOTED.reduce(
		(text, [where, quoted]) => (where === file ? text.replaceAll(quoted, '') : text),
		`${file}\n${code}`,
	);
	const text = own
		.replace(/\n[\t ]*(?:\*|\/\/|#)?[\t ]*/g, '\n')
		.replace(/(?<=[a-z\d])(?=[A-Z])|_|\\[nt]/g, ' ')
		.toLowerCase()
		.replace(CODE_IDIOMS, blank);
	return findIn({ line: 0, text }, WORD_RULES)
		.map((finding) => ({ ...finding, line: Math.max(1, finding.line) }))
		.sort((one, other) => one.line - other.line);
}

function findForUsers(passage: Passage): Finding[] {
	return findIn(passage, [...WORD_RULES, ...USER_WORD_RULES]);
}

function findIn({ line, text }: Passage, rules: readonly WordRule[]): Finding[] {
	const lower = text.toLowerCase();
	return rules.flatMap(({ say, not }) =>
		[...lower.matchAll(new RegExp(not.source.replaceAll(' ', '\\s'), 'g'))].map(
			({ 0: found, index }) => ({
				line: line + lower.slice(0, index).split('\n').length - 1,
				found: found.replaceAll('\n', ' '),
				say,
			}),
		),
	);
}
