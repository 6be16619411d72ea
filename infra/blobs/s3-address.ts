/** Bucket of a server that speaks the S3 protocol. */
export interface S3Address {
  /** Scheme, host and port. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** Prefix for the keys of all blobs: empty, or with a slash at the end. */
  readonly prefix: string
  /** Default: those of the environment, the usual files or the machine. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

const DEFAULT_REGION = 'us-east-1'

/** Parses `https://KEY:SECRET@host/bucket/prefix?region=eu-central-1`; `undefined` for any other text. */
export const parseS3Address = (text: string): S3Address | undefined => {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return undefined
  const { origin, username, password, pathname, searchParams } = new URL(text)
  const [bucket, ...below] = pathname.split('/').filter((part) => part !== '')
  const isHalf = (username === '') !== (password === '')
  if (bucket === undefined || isHalf || [...searchParams.keys()].some((name) => name !== 'region')) return undefined
  return {
    endpoint: origin,
    region: searchParams.get('region') ?? DEFAULT_REGION,
    bucket,
    prefix: below.map((part) => `${part}/`).join(''),
    ...(username !== '' && {
      credentials: { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) },
    }),
  }
}
