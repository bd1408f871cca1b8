import type { FastifyInstance } from 'fastify';
import { API_PATH } from './service';

const ROUTES: ReadonlyArray<readonly [route: string, meaning: string]> = [
	[`GET ${API_PATH}/config`, 'networks, tokens and gateways (header x-api-key)'],
	[`GET ${API_PATH}/quote`, 'a quote with fees and the transactions to submit (header x-api-key)'],
	[`GET ${API_PATH}/status?sourceHash=…`, 'the order of a source transaction (header x-api-key)'],
	['POST /sandbox/transactions', 'submit a quoted transaction, get its source hash'],
	['POST /sandbox/announcements', 'orders whose hashes are known now and that begin later'],
	['GET, DELETE /sandbox/orders', 'all orders with their true times; forget them'],
	[
		'PATCH /sandbox/orders/:sourceHash',
		'change how or when an order ends, or what its answer shows',
	],
	['POST /sandbox/orders/:sourceHash/end', 'end an order now'],
	['GET, POST, DELETE /sandbox/faults', 'what goes wrong with the next requests'],
	['GET, DELETE /sandbox/requests', 'what has arrived'],
	['GET /sandbox/health', 'whether the sandbox is up'],
	['GET /page and all below it', 'this page: a web site that is not the service'],
];

const LIST = ROUTES.map(([route, meaning]) => `<li><code>${route}</code> ${meaning}</li>`).join(
	'\n',
);

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Cross-Chain Bridge sandbox</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem }</style>
<h1>Cross-Chain Bridge sandbox</h1>
<p>The bridge service, played on this machine: no chain, no funds, everything in memory.</p>
<ul>
${LIST}
</ul>
</html>
`;

/** A page for people at /, and a web site under /page that answers every path with it, as a wrong address does. */
export function registerPage(server: FastifyInstance): void {
	for (const path of ['/', '/page', '/page/*']) {
		server.get(path, (_request, reply) => reply.type('text/html; charset=utf-8').send(PAGE));
	}
}
