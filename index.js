// n8n loads the files that package.json names under "n8n"; nothing is exported from here.
