/** The only middleware composer: layers around a core, composed once and called often. */

/** The inner rest of an onion. */
export type Next<TCall, TResult> = (call: TCall) => Promise<TResult>;

/** One layer: it may change the call, skip `next`, call it again, or change the result. */
export type Layer<TCall, TResult> = (call: TCall, next: Next<TCall, TResult>) => Promise<TResult>;

/**
 * Puts layers around a core; the first layer is the outermost.
 *
 * Whatever a layer or the core throws comes out as a rejection, also when it throws before it returns a promise.
 *
 * @param layers The layers, outermost first.
 * @param core The innermost function.
 * @returns One function with the signature of the core; it is the core itself when there are no layers.
 */
export function onion<TCall, TResult>(
  layers: readonly Layer<TCall, TResult>[],
  core: Next<TCall, TResult>,
): Next<TCall, TResult> {
  return layers.reduceRight<Next<TCall, TResult>>((next, layer) => (call) => enter(layer, call, next), core);
}

function enter<TCall, TResult>(
  layer: Layer<TCall, TResult>,
  call: TCall,
  next: Next<TCall, TResult>,
): Promise<TResult> {
  try {
    return layer(call, next);
  } catch (error) {
    return Promise.reject(error);
  }
}
