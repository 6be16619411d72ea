import { ConfigError, type Settings } from '../settings.ts'
import { parseS3Address, type S3Address } from './s3-address.ts'

/** Reads the bucket that holds files; `undefined`: they are in the data directory. @throws {ConfigError} */
export const s3SettingsIn = ({ S3_URL: url }: Settings): S3Address | undefined => {
  if (!url) return undefined
  const address = parseS3Address(url)
  if (address) return address
  // The message does not repeat the address, which may hold a secret.
  throw new ConfigError('S3_URL must be such as https://KEY:SECRET@s3.example.com/bucket?region=us-east-1')
}
