import { checkWords } from './project';

/** Prints each word that is ruled out and the length of each shelf; with --strict it fails if there is something to do. */
function main(): void {
	const { findings, shelves } = checkWords();
	let count = 0;
	for (const [file, found] of findings) {
		for (const { line, found: word, say } of found)
			console.log(`${file}:${line}: "${word}" -> ${say}`);
		count += found.length;
	}
	console.log(`\n${count} words that are ruled out`);
	for (const { name, words, most } of shelves) console.log(`${name}: ${words} words of ${most}`);
	const isTooLong = shelves.some(({ words, most }) => words > most);
	if (process.argv.includes('--strict') && (count > 0 || isTooLong)) process.exitCode = 1;
}

main();
