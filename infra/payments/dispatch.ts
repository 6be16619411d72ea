import { isAt } from '../../domain/kernel/decide/bound-reader.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import { type Adapter, type Adapters, adapterAt } from '../../domain/kernel/ports/calls.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import {
  charging,
  confirming,
  gatewayAccount,
  openKey,
  type Provider,
  refunding,
  SIMULATOR,
  saving,
} from '../../domain/payments/public.ts'
import { failed, type Gateway, unknown } from './gateway.ts'

/** URLs of gateways; `undefined`: that of the provider. */
export interface GatewayUrls {
  readonly stripe: string | undefined
  readonly payments_ai: string | undefined
}

/** Only the URLs of the providers. */
export const USUAL_URLS: GatewayUrls = { stripe: undefined, payments_ai: undefined }

/** Dependencies for finding and opening accounts. */
export interface GatewayDeps {
  readonly live: Pick<ReadModels, 'get'>
  readonly vault: Pick<Vault, 'open'>
  readonly urls: GatewayUrls
}

const STRIPE_URL = 'https://api.stripe.com'
const PAYMENTS_AI_URL = 'https://api.rebilly.com'
const PAYMENTS_AI_SANDBOX_URL = 'https://api-sandbox.rebilly.com'

type Account = RecordOf<typeof gatewayAccount>

const recordIn = recordOf(gatewayAccount)

/** Opens the gateway of an account, by provider. The code of a provider is loaded with the first call to it. */
const OPENERS: Readonly<
  Record<Provider, (account: Account, secretKey: string, urls: GatewayUrls) => Promise<Gateway>>
> = {
  simulator: async () => (await import('./simulator.ts')).simulator,
  stripe: async (_, secretKey, { stripe: url = STRIPE_URL }) =>
    (await import('./stripe.ts')).stripeGateway({ secretKey, url }),
  payments_ai: async ({ live_mode, external_organization_id, external_website_id }, secretKey, { payments_ai }) =>
    (await import('./rebilly.ts')).rebillyGateway({
      secretKey,
      url: payments_ai ?? (live_mode ? PAYMENTS_AI_URL : PAYMENTS_AI_SANDBOX_URL),
      organizationId: external_organization_id ?? '',
      websiteId: external_website_id ?? '',
    }),
}

type AccountReference = { readonly workspace_id: number; readonly gateway_account_id: number }

/** Returns the gateway of an account; `undefined`: the workspace does not have the account, or its key is gone. */
const gatewayOf = async (
  { live, vault, urls }: GatewayDeps,
  { workspace_id, gateway_account_id }: AccountReference,
): Promise<Gateway | undefined> => {
  if (gateway_account_id === SIMULATOR) return (await import('./simulator.ts')).simulator
  const document = await live.get(gatewayAccount.name, gateway_account_id)
  if (!document || !isAt({ workspaceId: workspace_id }, document)) return undefined
  const account = recordIn(document)
  const secretKey = await openKey(account.secret_key, workspace_id, vault)
  if (account.provider !== 'simulator' && secretKey === null) return undefined
  return OPENERS[account.provider](account, secretKey ?? '', urls)
}

const GONE = 'there is no such account with a gateway'

/** Returns an adapter that calls the gateway of the account named in the request. */
const dispatched = <Request extends AccountReference, Answer>(
  deps: GatewayDeps,
  pick: (gateway: Gateway) => Required<Adapter<Request, Answer>>,
): Adapter<Request, Answer> => ({
  async send(request, key, signal) {
    let gateway: Gateway | undefined
    try {
      gateway = await gatewayOf(deps, request)
    } catch {
      return failed('the account with the gateway cannot be read')
    }
    // The account may be so new that its document is not there yet, so the call fails and can be retried.
    return gateway ? pick(gateway).send(request, key, signal) : failed(GONE)
  },
  // A call through an account that is gone may still have been done, so its outcome is unknown.
  async find(request, key, signal) {
    const gateway = await gatewayOf(deps, request)
    return gateway ? pick(gateway).find(request, key, signal) : unknown(GONE)
  },
})

/** Returns the adapters for the ports of payments. They call the gateway of the account named in the request. */
export const gatewayAdapters = (deps: GatewayDeps): Adapters =>
  new Map([
    adapterAt(
      charging,
      dispatched(deps, ({ charge }) => charge),
    ),
    adapterAt(
      confirming,
      dispatched(deps, ({ confirm }) => confirm),
    ),
    adapterAt(
      refunding,
      dispatched(deps, ({ refund }) => refund),
    ),
    adapterAt(
      saving,
      dispatched(deps, ({ save }) => save),
    ),
  ])
