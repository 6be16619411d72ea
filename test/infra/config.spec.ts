import { expect } from 'chai'
import { ConfigError, readConfig } from '../../infra/config.ts'

const ADDRESSES = [
  ['MILLRACE_MCP_URL', 'mcpUrl'],
  ['MILLRACE_API_URL', 'apiUrl'],
  ['MILLRACE_SDK_URL', 'sdkUrl'],
  ['MILLRACE_PUBLIC_URL', 'publicUrl'],
] as const

describe('proxies in the settings', () => {
  it('are counted, or one where the answer is yes', () => {
    const proxies = (text: string) => readConfig({ MILLRACE_BEHIND_PROXY: text }).proxies
    expect(['', '0', 'no', 'false', '1', 'yes', 'true', '2'].map(proxies)).to.deep.equal([0, 0, 0, 0, 1, 1, 1, 2])
    for (const wrong of ['perhaps', '-1', '17'])
      expect(() => proxies(wrong)).to.throw(ConfigError, 'MILLRACE_BEHIND_PROXY')
  })
})

describe('the public listener in the settings', () => {
  it('is one port above that of the API, unless another is given or any will do', () => {
    const portOf = (settings: Readonly<Record<string, string>>) => readConfig(settings).publicPort
    expect(portOf({})).to.equal(4001)
    expect(portOf({ MILLRACE_PORT: '8080' })).to.equal(8081)
    expect(portOf({ MILLRACE_PORT: '0' })).to.equal(0)
    expect(portOf({ MILLRACE_PORT: '8080', MILLRACE_PUBLIC_PORT: '80' })).to.equal(80)
    expect(portOf({ MILLRACE_PORT: '8080', MILLRACE_PUBLIC_PORT: '0' })).to.equal(0)
    expect(
      portOf({
        MILLRACE_PORT: '65535',
        MILLRACE_PUBLIC_PORT: '443',
        MILLRACE_SDK_PORT: '444',
        MILLRACE_MCP_PORT: '445',
      }),
    ).to.equal(443)
    expect(() => portOf({ MILLRACE_PORT: '65535' })).to.throw(ConfigError, 'MILLRACE_PUBLIC_PORT must be given')
  })

  it('has the agent server three ports above the API, at an address of its own', () => {
    expect(readConfig({}).mcpPort).to.equal(4003)
    expect(readConfig({ MILLRACE_PORT: '0' }).mcpPort).to.equal(0)
    expect(readConfig({ MILLRACE_MCP_URL: 'https://agents.example.com/' }).mcpUrl).to.equal(
      'https://agents.example.com',
    )
    for (const url of ['https://MCP.Shop.example:443', 'HTTPS://mcp.shop.example/', 'https://mcp.shop.example'])
      for (const [setting, name] of ADDRESSES)
        expect(readConfig({ [setting]: url })[name], `${setting} ${url}`).to.equal('https://mcp.shop.example')
    expect(readConfig({ MILLRACE_MCP_URL: 'http://B\u00fccher.example:80' }).mcpUrl).to.equal(
      'http://xn--bcher-kva.example',
    )
    expect(() => readConfig({ MILLRACE_MCP_URL: 'https://me@shop.example' })).to.throw(ConfigError, 'MILLRACE_MCP_URL')
    const { mcpOrigins } = readConfig({ MILLRACE_MCP_ORIGINS: 'https://a.example, https://b.example:8443' })
    expect([...mcpOrigins]).to.deep.equal(['https://a.example', 'https://b.example:8443'])
    for (const wrong of ['a.example', 'https://a.example/', 'https://a.example/path', '*'])
      expect(() => readConfig({ MILLRACE_MCP_ORIGINS: wrong })).to.throw(ConfigError, 'MILLRACE_MCP_ORIGINS')
  })

  it('is reached at the configured URL, without a slash at the end', () => {
    const urlOf = (url: string) => readConfig({ MILLRACE_PUBLIC_URL: url }).publicUrl
    expect(urlOf('')).to.equal(undefined)
    expect(urlOf('https://Files.example.com/')).to.equal('https://files.example.com')
    expect(urlOf('http://localhost:8080/millrace/')).to.equal('http://localhost:8080/millrace')
    for (const wrong of [
      'files.example.com',
      'ftp://files.example.com',
      'https://',
      'https://a.example/?b',
      'https://a.example/#b',
    ])
      expect(() => urlOf(wrong), wrong).to.throw(ConfigError, 'MILLRACE_PUBLIC_URL')
  })
})

describe('gateways in the settings', () => {
  it('are reached at the configured URLs, without a slash at the end', () => {
    const urlOf = (url: string) => readConfig({ MILLRACE_STRIPE_URL: url }).gatewayUrls.stripe
    expect(urlOf('')).to.equal(undefined)
    expect(urlOf('http://localhost:12111/')).to.equal('http://localhost:12111')
    for (const wrong of ['pay.example.com', 'https://', 'https://pay.example.com/v1', 'https://pay.example.com/?a'])
      expect(() => urlOf(wrong), wrong).to.throw(ConfigError, 'MILLRACE_STRIPE_URL')
  })
})

describe('the bucket in the settings', () => {
  it('is none, an address, or refused without repeating it', () => {
    expect(readConfig({}).s3).to.equal(undefined)
    expect(readConfig({ S3_URL: 'https://a:b@s3.example.com/files' }).s3).to.include({ bucket: 'files' })
    expect(() => readConfig({ S3_URL: 'https://a:secret@s3.example.com' }))
      .to.throw(ConfigError, /^S3_URL must be such as/)
      .with.property('message')
      .not.includes('a:secret')
  })
})
