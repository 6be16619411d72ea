/**
 * Has passkeys answer forms of the accounts' pages (`form[data-passkey]`), which are hidden until then. The answer goes along in their field `answer`.
 * The options of a form are WebAuthn's, with bytes as base64url.
 */

type Descriptor = Omit<PublicKeyCredentialDescriptor, 'id'> & { readonly id: string }

type Requested = Omit<PublicKeyCredentialRequestOptions, 'challenge' | 'allowCredentials'> & {
  readonly challenge: string
}

type Created = Omit<PublicKeyCredentialCreationOptions, 'challenge' | 'user' | 'excludeCredentials'> & {
  readonly challenge: string
  readonly user: Omit<PublicKeyCredentialUserEntity, 'id'> & { readonly id: string }
  readonly excludeCredentials?: readonly Descriptor[]
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> => {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (one) => one.charCodeAt(0))
}

const textOf = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const create = async (options: Created): Promise<object | undefined> => {
  const { challenge, user, excludeCredentials = [], ...more } = options
  const publicKey: PublicKeyCredentialCreationOptions = {
    ...more,
    challenge: bytesOf(challenge),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: excludeCredentials.map((one) => ({ ...one, id: bytesOf(one.id) })),
  }
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential | null
  if (!made) return undefined
  const response = made.response as AuthenticatorAttestationResponse
  return {
    ...{ id: made.id, rawId: textOf(made.rawId) },
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  }
}

const get = async ({ challenge, ...more }: Requested): Promise<object | undefined> => {
  const publicKey = { ...more, challenge: bytesOf(challenge) }
  const signed = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential | null
  if (!signed) return undefined
  const response = signed.response as AuthenticatorAssertionResponse
  return {
    ...{ id: signed.id, rawId: textOf(signed.rawId) },
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      ...(response.userHandle && { userHandle: textOf(response.userHandle) }),
    },
  }
}

/** Returns which text of the form tells of an error. */
const problemOf = (error: unknown): string => {
  if (!(error instanceof DOMException)) return 'failed'
  if (error.name === 'InvalidStateError') return 'known'
  return error.name === 'NotAllowedError' || error.name === 'AbortError' ? 'cancelled' : 'failed'
}

const prepare = (form: HTMLFormElement): void => {
  const { passkey, options = '' } = form.dataset
  const field = form.elements.namedItem('answer') as HTMLInputElement
  const note = form.querySelector<HTMLElement>('[role=alert]')
  const tell = (text = ''): void => {
    if (note) note.textContent = text
  }
  /** A challenge is answered once. Pressing the button again sends the same answer again. */
  let answered: object | undefined
  let isAsking = false
  const answer = async (): Promise<void> => {
    if (isAsking) return
    tell()
    try {
      isAsking = true
      answered ??= passkey === 'create' ? await create(JSON.parse(options)) : await get(JSON.parse(options))
      if (!answered) return tell(form.dataset.cancelled)
      field.value = JSON.stringify(answered)
      form.submit()
    } catch (error) {
      tell(form.dataset[problemOf(error)] ?? form.dataset.failed)
    } finally {
      isAsking = false
    }
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    answer()
  })
  form.hidden = false
}

if (typeof PublicKeyCredential === 'function') {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) prepare(form)
  for (const note of document.querySelectorAll<HTMLElement>('[data-without-passkeys]')) note.hidden = true
}

export {}
