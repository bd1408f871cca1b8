import axios, { type AxiosInstance } from 'axios';

import { onceNotBusy, OWNER } from '../../realN8n/server/client';

/** A community package as n8n's settings page lists it. */
interface InstalledPackage {
	packageName: string;
	installedVersion: string;
	installedNodes: Array<{ name: string; type: string; latestVersion: number }>;
	/** The version that the registry offers, if it is another one. */
	updateAvailable?: string;
	failedLoading?: boolean;
}

/** The page Settings > Community nodes of a running n8n, as its editor uses it. */
export class CommunityPackages {
	private constructor(private readonly http: AxiosInstance) {}

	/** The owner must have been set up. */
	static async signIn(n8nUrl: string): Promise<CommunityPackages> {
		const http = axios.create({
			baseURL: `${n8nUrl}/rest`,
			proxy: false,
			timeout: 180_000,
			validateStatus: () => true,
		});
		const login = { emailOrLdapLoginId: OWNER.email, password: OWNER.password };
		const { status, headers } = await onceNotBusy(async () => await http.post('/login', login));
		const cookies: unknown = headers['set-cookie'];
		if (status !== 200 || !Array.isArray(cookies))
			throw new Error(`n8n refuses its owner with ${status}.`);
		http.defaults.headers.common.cookie = cookies
			.map((each) => String(each).split(';')[0])
			.join('; ');
		return new CommunityPackages(http);
	}

	async install(name: string, version: string): Promise<InstalledPackage> {
		return await this.call<InstalledPackage>('POST', { name, version });
	}

	async update(name: string, version: string): Promise<InstalledPackage> {
		return await this.call<InstalledPackage>('PATCH', { name, version });
	}

	async installed(): Promise<InstalledPackage[]> {
		return await this.call<InstalledPackage[]>('GET');
	}

	private async call<T>(method: 'GET' | 'POST' | 'PATCH', data?: object): Promise<T> {
		const request = { method, url: '/community-packages', data };
		const answer = await onceNotBusy(
			async () => await this.http.request<{ data: T; message?: string }>(request),
		);
		if (answer.status === 200) return answer.data.data;
		throw new Error(
			`n8n answers ${answer.status}: ${answer.data.message ?? JSON.stringify(answer.data)}`,
		);
	}
}
