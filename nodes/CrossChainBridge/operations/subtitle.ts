import { operations } from './index';

const NAMES = JSON.stringify(
	Object.fromEntries(operations.map(({ option }) => [option.value, option.name])),
);

const NETWORK_FIELDS = JSON.stringify({
	getConfig: ['network'],
	getQuote: ['fromNetwork', 'toNetwork'],
});

/** The text below the node, such as "Get Quote: Ethereum → Base"; only the JSON form of `$parameter` has a list's names. */
export const SUBTITLE = `={{ ((operation, parameters) => {
	const textOf = (locator) => {
		const value = String(locator?.value ?? locator ?? "");
		const picked = locator?.mode === "list" ? String(locator.cachedResultName ?? "").split(" (")[0] : "";
		return value.startsWith("=") ? "" : value && (picked || value);
	};
	const networks = (${NETWORK_FIELDS}[operation] ?? []).map((name) => textOf(parameters[name]));
	const isWhole = networks.length > 0 && networks.every((network) => network !== "") && parameters.specifyQuote !== "json";
	const name = ${NAMES}[operation] ?? "";
	return isWhole ? name + ": " + networks.join(" → ") : name;
})($parameter["operation"], $parameter.toJSON?.() ?? {}) }}`;
