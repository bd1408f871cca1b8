import { ERROR_SHAPES } from '../answers';
import { ENDPOINTS } from '../faults';
import { ORDER_ENDS, PLANNED_ENDS } from '../orders';

/** JSON schemas of what the control routes accept. Unknown fields are refused, so that a slip is noticed. */

const seconds = { type: 'number', minimum: 0, maximum: 1_000_000_000 };
const status = { type: 'integer', minimum: 200, maximum: 599 };
const text = { type: 'string', minLength: 1 };
const answer = { type: 'object' };
const absent = { type: 'array', items: text };

const orderChangeProperties = {
	end: { enum: PLANNED_ENDS },
	endsAfterSeconds: seconds,
	executesAfterSeconds: { ...seconds, type: ['number', 'null'] },
	missing: { enum: ['absent', 'null'] },
	answer,
	absent,
};

const routeProperties = {
	inputNetwork: { type: 'integer' },
	outputNetwork: { type: 'integer' },
	inputTokenAmount: text,
	sourceAddress: text,
	destinationAddress: text,
	inputTokenContract: text,
	outputTokenContract: text,
};

/** Body of PATCH /sandbox/orders/:sourceHash. */
export const orderChangeSchema = {
	type: 'object',
	additionalProperties: false,
	properties: orderChangeProperties,
};

/** Body of POST /sandbox/orders/:sourceHash/end. */
export const endSchema = {
	type: 'object',
	additionalProperties: false,
	required: ['status'],
	properties: { status: { enum: ORDER_ENDS } },
};

/** Body of POST /sandbox/announcements. */
export const announcementsSchema = {
	type: 'object',
	additionalProperties: false,
	required: ['orders'],
	properties: {
		orders: {
			type: 'array',
			maxItems: 10_000,
			items: {
				type: 'object',
				additionalProperties: false,
				properties: {
					...orderChangeProperties,
					...routeProperties,
					sourceHash: text,
					beginsAfterSeconds: seconds,
				},
			},
		},
	},
};

/**
 * Body of POST /sandbox/transactions: further fields are welcome, because a whole quote or a whole item of a
 * workflow may be handed in.
 */
export const transactionSchema = {
	type: 'object',
	properties: {
		...orderChangeProperties,
		...routeProperties,
		inputNetwork: { type: ['integer', 'string'], pattern: '^\\d{1,9}$' },
		outputNetwork: { type: ['integer', 'string'], pattern: '^\\d{1,9}$' },
		sourceHash: text,
		transactions: { type: 'array', items: { type: 'object' } },
	},
};

function faultVariant(kind: string, properties: object = {}, required: string[] = []): object {
	return {
		additionalProperties: false,
		required: ['kind', ...required],
		properties: {
			kind: { const: kind },
			endpoint: { enum: [...ENDPOINTS, 'all'] },
			sourceHash: text,
			times: { anyOf: [{ type: 'integer', minimum: 1 }, { const: 'always' }] },
			delaySeconds: seconds,
			...properties,
		},
	};
}

/** Body of POST /sandbox/faults. */
export const faultSchema = {
	type: 'object',
	required: ['kind'],
	discriminator: { propertyName: 'kind' },
	oneOf: [
		faultVariant('delay', {}, ['delaySeconds']),
		faultVariant('error', {
			status,
			code: text,
			message: { type: 'string' },
			shape: { enum: ERROR_SHAPES },
			retryAfterSeconds: seconds,
			retryAfterForm: { enum: ['seconds', 'date'] },
		}),
		faultVariant('drop', { when: { enum: ['beforeHeaders', 'inHeaders', 'afterHeaders'] } }),
		faultVariant('halfBody', { clean: { type: 'boolean' } }),
		faultVariant('drip', { bytesPerSecond: { type: 'number', exclusiveMinimum: 0 } }),
		faultVariant('html', { status }),
		faultVariant('redirect', { to: text, status: { enum: [301, 302, 303, 307, 308] } }, ['to']),
		faultVariant('fields', { answer, absent }),
		faultVariant('errorShape', { shape: { enum: ERROR_SHAPES } }, ['shape']),
		faultVariant('text', { bytes: { type: 'integer', minimum: 0, maximum: 100_000_000 } }),
		faultVariant('body', { body: { type: 'string' }, status, contentType: text }, ['body']),
		faultVariant('empty', { status }),
		faultVariant('noData'),
		faultVariant('array'),
	],
};
