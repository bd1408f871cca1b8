import * as certificates from './certificates';
import * as faults from './faults';
import { type RawServer, startRawServer } from './rawServer';
import { against, attackOf, KEY } from './ways';

/** The key goes to the configured host and to no other, whatever that host answers. */

let other: RawServer;
beforeEach(async () => void (other = await startRawServer(faults.sound)));
afterEach(async () => {
	jest.restoreAllMocks();
});

const REDIRECTS = [
	'301 Moved Permanently',
	'302 Found',
	'303 See Other',
	'307 Temporary Redirect',
	'308 Permanent Redirect',
];

/** Where a redirect may lead, given the port of the other host. */
const TARGETS: Array<[string, (port: number) => string]> = [
	['another host', (port) => `http://127.0.0.1:${port}/api/sdk/v2/config`],
	['another host, without a scheme', (port) => `//127.0.0.1:${port}/`],
];

test.each(
	against(
		REDIRECTS.flatMap((status) =>
			TARGETS.map(([where, urlOf]): [string, [string, typeof urlOf]] => [
				`${status} to ${where}`,
				[status, urlOf],
			]),
		),
	),
)('%s: %s does not follow it', async (_attack, _way, way, [status, urlOf]) => {
	const server = await startRawServer((socket, request) =>
		faults.redirect(status, urlOf(other.port))(socket, request),
	);
	const seen = await way.go(`http://localhost:${server.port}`, attackOf(server));
	expect(server.opened).toBeGreaterThan(0);
	expect(other.opened).toBe(0);
	expect(seen).not.toContain(KEY);
	if (way.name === 'the test of the credential') expect(seen).toContain('"status":"Error"');
});

const UNTRUSTED: Array<[string, string]> = [
	['a certificate that nobody has signed', certificates.SELF_SIGNED],
	['a certificate of an authority that is not known', certificates.GOOD],
	['a certificate of another name', certificates.OTHER_NAME],
	['a certificate that has expired', certificates.EXPIRED],
];

test.each(against(UNTRUSTED))('%s: %s sends no key', async (_attack, _way, way, cert) => {
	// What is wrong with the last two is only seen where the authority is known.
	if (cert === certificates.OTHER_NAME || cert === certificates.EXPIRED)
		certificates.trustAuthority();
	const server = await startRawServer(faults.sound, { tls: { key: certificates.KEY, cert } });
	const seen = await way.go(`https://localhost:${server.port}`, attackOf(server));
	expect(server.opened).toBeGreaterThan(0);
	expect(server.received()).toBe('');
	if (way.name === 'the test of the credential') expect(seen).toContain('"status":"Error"');
});
