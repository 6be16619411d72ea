import { ask } from '../kernel/decide/ask.ts'
import { policy } from '../kernel/react/policy.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { address } from './address/model.ts'
import { addresses } from './address/rules.ts'
import { domain } from './domain/model.ts'
import { isVerified } from './domain/view.ts'

/** Notes with the senders of a domain whether its mail is authenticated, since lists of senders are narrowed by it. */
export const sendersKnowTransport = policy({
  name: 'senders-know-transport',
  on: [domain.event.SendingDomainChecked],
  async react({ stream, data }, read) {
    const { id } = parseStream(stream)
    const senders = await read.find(address.name, { where: { emails_domain_id: id } })
    const verified = isVerified(data)
    return senders
      .filter((one) => one.transport_verified !== verified)
      .map((one) => ask(addresses, Number(one.id), 'noteTransport', { verified }))
  },
})
