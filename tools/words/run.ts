import { checkWords } from './project';

/** Prints each word that is ruled out; with --strict it fails if there is one. */
function main(): void {
	let count = 0;
	for (const [file, found] of checkWords()) {
		for (const { line, found: word, say } of found)
			console.log(`${file}:${line}: "${word}" -> ${say}`);
		count += found.length;
	}
	console.log(`\n${count} words that are ruled out`);
	if (process.argv.includes('--strict') && count > 0) process.exitCode = 1;
}

main();
