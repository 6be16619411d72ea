import { expect } from 'chai'
import { s3Blobs } from '../../infra/blobs/s3.ts'
import { parseS3Address } from '../../infra/blobs/s3-address.ts'
import { StorageUnavailable } from '../../infra/sqlite/failures.ts'
import { type S3Double, startS3Double } from '../support/servers/s3-double.ts'
import { missingS3Server, startS3Server } from '../support/servers/s3-server.ts'
import { blobsContract } from './blobs.contract.ts'

const openAt = (url: string) => s3Blobs(parseS3Address(url)!)

blobsContract('a bucket', async () => {
  const server = await startS3Double()
  return { blobs: openAt(server.url), reopen: async () => openAt(server.url), cleanup: () => server.close() }
})

describe('a server of S3', () => {
  if (missingS3Server) it.skip(missingS3Server)
  else {
    let started: Promise<string> | undefined
    let opened = 0
    blobsContract('a bucket of a real server', async () => {
      started ??= startS3Server()
      const url = `${await started}/${++opened}`
      return { blobs: openAt(url), reopen: async () => openAt(url), cleanup: async () => undefined }
    })
  }
})

describe('a bucket of blobs', () => {
  let server: S3Double
  beforeEach(async () => {
    server = await startS3Double()
  })
  afterEach(() => server.close())

  const failure = async (attempt: Promise<unknown>): Promise<unknown> =>
    attempt.then(
      () => undefined,
      (error: unknown) => error,
    )

  it('has an object a part, below its prefix', async () => {
    await openAt(server.url).write('contacts/export_action-7', 200, ['x'])
    expect(server.keys()).to.deep.equal(['kept/contacts/export_action-7/200'])
  })

  it('reports a failing or unreachable server as temporary', async () => {
    const blobs = openAt(server.url)
    for (const trouble of [503, 'reset'] as const) {
      server.fails(trouble)
      expect(await failure(blobs.write('a-1', 0, ['x'])), String(trouble)).to.be.instanceOf(StorageUnavailable)
    }
    server.fails(undefined)
    await blobs.write('a-1', 0, ['x'])
    await server.close()
    expect(await failure(blobs.write('a-1', 0, ['x']))).to.be.instanceOf(StorageUnavailable)
  }).timeout(20_000)

  it('does not report a wrong secret as temporary', async () => {
    const error = await failure(openAt(server.url.replace('a%2F', 'b%2F')).write('a-1', 0, ['x']))
    expect(error).to.be.instanceOf(Error).and.not.instanceOf(StorageUnavailable)
  })
})

describe('the address of a bucket', () => {
  it('has a key and a secret, or neither, and a region', () => {
    expect(parseS3Address('https://ID:se%2Fcret@s3.example.com:9000/files/a/b?region=eu-central-1')).to.deep.equal({
      endpoint: 'https://s3.example.com:9000',
      region: 'eu-central-1',
      bucket: 'files',
      prefix: 'a/b/',
      credentials: { accessKeyId: 'ID', secretAccessKey: 'se/cret' },
    })
    expect(parseS3Address('http://localhost/files')).to.deep.equal({
      ...{ endpoint: 'http://localhost', region: 'us-east-1', bucket: 'files', prefix: '' },
    })
  })

  it('is no address without a bucket, with half of the credentials, or with something unknown', () => {
    for (const text of [
      'https://s3.example.com',
      'https://ID@s3.example.com/files',
      's3://files',
      'https://h/b?zone=a',
    ])
      expect(parseS3Address(text), text).to.equal(undefined)
  })
})
