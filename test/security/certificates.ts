import tls from 'node:tls';

/** Certificates of servers that tests run on this machine. Made once; all but one are valid until 2126. */

/** An authority that a test may trust; its key was thrown away. */
const AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBNDCB3KADAgECAgEBMAoGCCqGSM49BAMCMBkxFzAVBgNVBAMMDlRlc3QgYXV0
aG9yaXR5MCAXDTI2MDEwMTAwMDAwMFoYDzIxMjYwMTAxMDAwMDAwWjAZMRcwFQYD
VQQDDA5UZXN0IGF1dGhvcml0eTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABIZR
IWmyNSu+ApYDWFHmXJld6LV98vu6AXRglnW6n8bpMSFxAzzKIp7ge9X5RW/s449z
pIJOjXREgThWenEM3d+jEzARMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwID
RwAwRAIgSz2PD5z03lXRXlN0h4Pw4Mfij3Eixtw/JZAagEYqNtkCIHSW5CVBVJqI
jPSgg/lOv3atw4J2xYBYDQj8YoaeK9Xr
-----END CERTIFICATE-----
`;

/** The private key of all certificates below. It protects nothing. */
export const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgP88cwSre71Phqvk/
utFpVX9cqRpgPcsXvuuenQTipHehRANCAAS1UrLBzsQdtMjA/qVF5UqeUHl1JSk3
WrjNSClT6yq281h3U1LxnMjb2fWMCwphIymqWVajph/kE9QeTH019Wum
-----END PRIVATE KEY-----
`;

/** For localhost, signed by the authority. */
export const GOOD = `-----BEGIN CERTIFICATE-----
MIIBRDCB6qADAgECAgECMAoGCCqGSM49BAMCMBkxFzAVBgNVBAMMDlRlc3QgYXV0
aG9yaXR5MCAXDTI2MDEwMTAwMDAwMFoYDzIxMjYwMTAxMDAwMDAwWjAUMRIwEAYD
VQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAS1UrLBzsQd
tMjA/qVF5UqeUHl1JSk3WrjNSClT6yq281h3U1LxnMjb2fWMCwphIymqWVajph/k
E9QeTH019WumoyYwJDAMBgNVHRMBAf8EAjAAMBQGA1UdEQQNMAuCCWxvY2FsaG9z
dDAKBggqhkjOPQQDAgNJADBGAiEAtY7/BbiFM2kfcM+B93hEKvzrBsVP3kNJ63Qg
GeBjNDsCIQCkfoIRgDq3QaIbEwmWGPreRpXxHIr5OrSdzuxtpJOEaA==
-----END CERTIFICATE-----
`;

/** For another host. */
export const OTHER_NAME = `-----BEGIN CERTIFICATE-----
MIIBSzCB8qADAgECAgEDMAoGCCqGSM49BAMCMBkxFzAVBgNVBAMMDlRlc3QgYXV0
aG9yaXR5MCAXDTI2MDEwMTAwMDAwMFoYDzIxMjYwMTAxMDAwMDAwWjAYMRYwFAYD
VQQDDA1vdGhlci5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEtVKy
wc7EHbTIwP6lReVKnlB5dSUpN1q4zUgpU+sqtvNYd1NS8ZzI29n1jAsKYSMpqllW
o6Yf5BPUHkx9NfVrpqMqMCgwDAYDVR0TAQH/BAIwADAYBgNVHREEETAPgg1vdGhl
ci5leGFtcGxlMAoGCCqGSM49BAMCA0gAMEUCIFdAKMXmGjxtShT21arNWlobACX2
C/OFrGnXNGZ3/ZwKAiEAxqq2iBPL5Wlu/2Zn0wfuVdiN+T02+r3esSkGmeE0rDM=
-----END CERTIFICATE-----
`;

/** For localhost, expired in 2021. */
export const EXPIRED = `-----BEGIN CERTIFICATE-----
MIIBQDCB6KADAgECAgEEMAoGCCqGSM49BAMCMBkxFzAVBgNVBAMMDlRlc3QgYXV0
aG9yaXR5MB4XDTIwMDEwMTAwMDAwMFoXDTIxMDEwMTAwMDAwMFowFDESMBAGA1UE
AwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEtVKywc7EHbTI
wP6lReVKnlB5dSUpN1q4zUgpU+sqtvNYd1NS8ZzI29n1jAsKYSMpqllWo6Yf5BPU
Hkx9NfVrpqMmMCQwDAYDVR0TAQH/BAIwADAUBgNVHREEDTALgglsb2NhbGhvc3Qw
CgYIKoZIzj0EAwIDRwAwRAIgCmDOQNeVOqLnTw4cp/NPCBX+ZZnRL9j9PDRkH6lL
qqwCIEn8rgs6WpRQ6Up3F1X/PQn+stBaQfd2OMx1xe2PIJ5n
-----END CERTIFICATE-----
`;

/** For localhost, signed by itself. */
export const SELF_SIGNED = `-----BEGIN CERTIFICATE-----
MIIBPjCB5aADAgECAgEFMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCWxvY2FsaG9z
dDAgFw0yNjAxMDEwMDAwMDBaGA8yMTI2MDEwMTAwMDAwMFowFDESMBAGA1UEAwwJ
bG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEtVKywc7EHbTIwP6l
ReVKnlB5dSUpN1q4zUgpU+sqtvNYd1NS8ZzI29n1jAsKYSMpqllWo6Yf5BPUHkx9
NfVrpqMmMCQwDAYDVR0TAQH/BAIwADAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYI
KoZIzj0EAwIDSAAwRQIhANn1fe01vkToxKlvB8I3DDMFlfN1Llwr9NlFFhmAApPq
AiBOgykXXSnprBRmG8VHcsgIKC/G5dNJJQxJOOYeE2oJwA==
-----END CERTIFICATE-----
`;

/** This n8n trusts the authority as well. Undone by jest.restoreAllMocks. */
export function trustAuthority(): void {
	const create = tls.createSecureContext;
	jest.spyOn(tls, 'createSecureContext').mockImplementation((options) => {
		const made = create(options);
		Reflect.get(made.context, 'addCACert').call(made.context, AUTHORITY);
		return made;
	});
}
