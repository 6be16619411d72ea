/** What a name server says: texts, or `undefined` when it gave no answer, which says nothing about the records. */
export type DnsAnswer = readonly string[] | undefined

/** Look-ups in the Domain Name System. A name or type without records has an empty answer. */
export interface Dns {
  /** Returns the TXT records of a name, the strings of each joined without spaces. */
  texts(name: string): Promise<DnsAnswer>
  /** Returns the names that a name is an alias of. */
  aliases(name: string): Promise<DnsAnswer>
}

/** Key pair that mail is signed with. */
export interface MailKeyPair {
  /** PKCS #8 in PEM. */
  readonly privateKey: string
  /** SubjectPublicKeyInfo in base64. */
  readonly publicKey: string
}

/** What the installation has for mail. */
export interface MailSetup {
  /** Name of the operator that bounces go to; absent without one. */
  readonly domain?: string
  /** Name that senders without a domain of their own share: that of the operator, or one of this machine while nothing leaves it. */
  readonly sharedDomain?: string
  readonly dns: Dns
  /** Makes a key pair, without holding up other requests. */
  newKeyPair(): Promise<MailKeyPair>
}
