import { Resolver } from 'node:dns/promises'
import { authenticate } from 'mailauth'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { nameServer } from './servers/name-server.ts'

/** Returns look-ups by what is published at this moment, which follow aliases as those of receivers do. */
const lookUps = async () => {
  const resolver = new Resolver()
  resolver.setServers([await nameServer()])
  return async (name: string, type: string): Promise<string[][]> => {
    if (type !== 'TXT') throw Object.assign(new Error(`no ${type} of ${name}`), { code: 'ENODATA' })
    const [alias] = await resolver.resolveCname(name).catch(() => [])
    return resolver.resolveTxt(alias ?? name)
  }
}

/** What a receiver makes of a mail from this machine, by DKIM, SPF and DMARC. @param sender of the envelope */
export const authenticated = async (source: Buffer, sender: string) => {
  const { dkim, spf, dmarc } = await authenticate(source, {
    ...{ ip: '127.0.0.1', helo: 'app.example', mta: 'mx.receiver.example', sender },
    resolver: (await lookUps()) as never,
    ...{ disableArc: true, disableBimi: true },
  })
  return {
    dkim: dkim.results.map(({ status }) => status.result),
    spf: spf ? spf.status.result : undefined,
    dmarc: dmarc ? dmarc.status.result : undefined,
  }
}

/** Results of the signatures of a mail, by what is published at this moment: `pass`, and the headers that are signed. */
export const signaturesOf = async (source: Buffer | string) => {
  const resolver = new Resolver()
  resolver.setServers([await nameServer()])
  const { results } = await dkimVerify(Buffer.from(source), {
    resolver: async (name: string) => resolver.resolveTxt(name),
  })
  // The types of the library leave out the list of headers.
  type Result = (typeof results)[number] & { readonly signingHeaders?: { readonly keys: string } }
  return results.map(({ status, signingDomain, selector, signingHeaders }: Result) => ({
    result: status.result,
    domain: signingDomain,
    selector,
    signed: (signingHeaders?.keys ?? '').toLowerCase().split(/\s*:\s*/),
  }))
}

/** Returns a mail as a relay passes it on that folds its headers anew. */
export const foldedAnew = (source: Buffer): string => {
  const text = source.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  const unfolded = text.slice(0, end).replace(/\r\n[ \t]+/g, ' ')
  const folded = unfolded
    .split('\r\n')
    .map((line) => (/^DKIM/i.test(line) ? line : line.replace(/: /, ':\r\n\t').replace(/([,;]) /g, '$1\r\n  ')))
  return folded.join('\r\n') + text.slice(end)
}

/** Returns the names of the headers of a mail, in their order. */
export const headerNames = (source: Buffer): readonly string[] => {
  const text = source.toString('latin1')
  const lines = text.slice(0, text.indexOf('\r\n\r\n')).split('\r\n')
  return lines.filter((line) => !/^\s/.test(line)).map((line) => line.slice(0, line.indexOf(':')).toLowerCase())
}
