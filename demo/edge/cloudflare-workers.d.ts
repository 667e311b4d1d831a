/** What the tests use of the host's own module. */
declare module "cloudflare:workers" {
  export abstract class DurableObject<TEnv> {
    constructor(state: object, env: TEnv);
  }
}
