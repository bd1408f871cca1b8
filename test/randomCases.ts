import fc from 'fast-check';

/**
 * Property tests take the same cases each time, so that a result is that of the code; with SEED, others. A failure prints
 * the seed with which it is seen again.
 */
fc.configureGlobal({ seed: Number(process.env.SEED ?? 20_261_121) });
