import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const [PRESENT, VERIFIED, MAY_BE_SYNCED, IS_SYNCED, HAS_KEY] = [0x01, 0x04, 0x08, 0x10, 0x40] as const

/** What an authenticator says beside its signature. */
interface Said {
  /** Whether it has verified its user; default: yes. */
  readonly isVerified?: boolean
  readonly counter?: number
  /** Default: that of the options. */
  readonly rpId?: string
  readonly isSynced?: boolean
}

interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id?: string }
  readonly user: { readonly id: string }
}

interface RequestOptions {
  readonly challenge: string
  readonly rpId?: string
}

const base64url = (bytes: Buffer): string => bytes.toString('base64url')

const sha256 = (content: string | Buffer): Buffer => createHash('sha256').update(content).digest()

/** Encodes bytes of up to 65,535 in CBOR. */
const cborBytes = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x59, bytes.length >> 8, bytes.length & 0xff]), bytes])

const cborText = (text: string): Buffer => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])

/** Passkey in the hand of a test: a key of ES256 and what an authenticator does with it. */
export class Authenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #id = randomBytes(32)
  #handle = ''

  get id(): string {
    return base64url(this.#id)
  }

  /** Answers as a browser does that has had it make a passkey. */
  create({ challenge, rp, user }: CreationOptions, origin: string, said: Said = {}) {
    this.#handle = user.id
    const client = Buffer.from(JSON.stringify({ type: 'webauthn.create', challenge, origin, crossOrigin: false }))
    const length = Buffer.from([0, this.#id.length])
    const data = Buffer.concat([
      this.#data(rp.id ?? '', HAS_KEY, said),
      ...[Buffer.alloc(16), length, this.#id, this.#publicKey()],
    ])
    const attestation = Buffer.concat([
      ...[Buffer.from([0xa3]), cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0])],
      ...[cborText('authData'), cborBytes(data)],
    ])
    const response = { clientDataJSON: base64url(client), attestationObject: base64url(attestation) }
    return { id: this.id, rawId: this.id, response: { ...response, transports: ['internal'] } }
  }

  /** Answers as a browser does that has had it sign. */
  get({ challenge, rpId = '' }: RequestOptions, origin: string, said: Said = {}) {
    const client = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }))
    const data = this.#data(rpId, 0, said)
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), this.#keys.privateKey)
    const response = { clientDataJSON: base64url(client), authenticatorData: base64url(data) }
    const signed = { ...response, signature: base64url(signature), userHandle: this.#handle }
    return { id: this.id, rawId: this.id, response: signed }
  }

  #data(rpId: string, more: number, { isVerified = true, counter = 0, isSynced = false, rpId: other }: Said): Buffer {
    const synced = isSynced ? MAY_BE_SYNCED | IS_SYNCED : 0
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(counter)
    const flags = PRESENT | (isVerified ? VERIFIED : 0) | synced | more
    return Buffer.concat([sha256(other ?? rpId), Buffer.from([flags]), counted])
  }

  /** Returns the public half in COSE. */
  #publicKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const coordinate = (label: number, value: string) =>
      Buffer.concat([Buffer.from([label, 0x58, 0x20]), Buffer.from(value, 'base64url')])
    const type = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01])
    return Buffer.concat([type, coordinate(0x21, x), coordinate(0x22, y)])
  }
}
