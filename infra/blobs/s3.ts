import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  NotFound,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import { StorageUnavailable } from '../sqlite/failures.ts'
import { assertName } from './names.ts'
import type { S3Address } from './s3-address.ts'

/** Longest wait for a connection, and for each answer. */
const CONNECT_MS = 5000
const ANSWER_MS = 30_000

/** Returns `StorageUnavailable` when the server cannot be reached or has failed, because it may succeed later; else the error itself. */
const asUnavailable = (what: string, error: unknown): unknown => {
  const isClientFault = error instanceof S3ServiceException ? error.$fault === 'client' : !isOfNetwork(error)
  return isClientFault
    ? error
    : new StorageUnavailable(what, 'storage', error, 'nothing of this was kept. Check the server.')
}

const isOfNetwork = (error: unknown): boolean =>
  typeof (error as { readonly code?: unknown }).code === 'string' || (error as Error).name === 'TimeoutError'

const bytesOf = (content: Iterable<string | Uint8Array>): Buffer =>
  Buffer.concat(Array.from(content, (piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))

const clientOf = ({ endpoint, region, credentials }: S3Address): S3Client =>
  new S3Client({
    endpoint,
    region,
    ...(credentials && { credentials }),
    // Many servers other than Amazon's do not serve buckets as subdomains.
    forcePathStyle: !endpoint.endsWith('.amazonaws.com'),
    // Not every server knows the newer checksums; the signature covers the content.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS },
  })

/** Stores each part of a blob as an object in a bucket, `prefix/name/part`. */
export const s3Blobs = (address: S3Address): Blobs => {
  const client = clientOf(address)
  const { bucket: Bucket, prefix } = address
  const below = (name: string): string => {
    assertName(name)
    return `${prefix}${name}/`
  }
  const at = (name: string, part: number) => ({ Bucket, Key: below(name) + part })
  const removeAt = (Key: string | undefined) => client.send(new DeleteObjectCommand({ Bucket, Key }))

  return {
    async write(name, part, content) {
      const target = at(name, part)
      const Body = bytesOf(content)
      try {
        await client.send(new PutObjectCommand({ ...target, Body, ContentLength: Body.length }))
      } catch (error) {
        throw asUnavailable(`The object ${target.Key} could not be written`, error)
      }
    },
    async has(name, part) {
      try {
        await client.send(new HeadObjectCommand(at(name, part)))
        return true
      } catch (error) {
        if (error instanceof NotFound) return false
        throw asUnavailable(`The object ${below(name)}${part} could not be looked up`, error)
      }
    },
    async *read(name, part) {
      const { Body } = await client.send(new GetObjectCommand(at(name, part)))
      yield* Body as unknown as AsyncIterable<Uint8Array>
    },
    async remove(name, part) {
      if (part !== undefined) {
        await client.send(new DeleteObjectCommand(at(name, part)))
        return
      }
      for (let more: string | undefined = ''; more !== undefined; ) {
        const listed = { Bucket, Prefix: below(name), ...(more !== '' && { ContinuationToken: more }) }
        const page: ListObjectsV2CommandOutput = await client.send(new ListObjectsV2Command(listed))
        await Promise.all((page.Contents ?? []).map(({ Key }) => removeAt(Key)))
        more = page.NextContinuationToken
      }
    },
  }
}
