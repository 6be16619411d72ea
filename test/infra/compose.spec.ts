import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'

interface Service {
  readonly profiles?: readonly string[]
  readonly restart?: string
  readonly stop_grace_period?: string
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly environment?: Readonly<Record<string, unknown>>
  readonly deploy?: { readonly resources?: { readonly limits?: Readonly<Record<string, string>> } }
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly ports?: readonly string[]
  readonly networks?: readonly string[]
  readonly network_mode?: string
  readonly volumes?: readonly string[]
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>
}

/** The file is only read, since there is no Docker engine where the tests run. */
describe('infra/compose.yaml', () => {
  const text = readFileSync(path.join(import.meta.dirname, '../../../infra/compose.yaml'), 'utf8')
  const { services, volumes, networks } = parse(text, { merge: true }) as Compose
  const all = Object.entries(services)
  const lasting = all.filter(([, { restart }]) => restart === 'unless-stopped')

  it('restarts all services, with health checks, time to stop, and limits', () => {
    expect(lasting.map(([name]) => name).sort()).to.deep.equal(
      all
        .map(([name]) => name)
        .filter((name) => name !== 'mongo-replica-set')
        .sort(),
    )
    for (const [name, service] of lasting) {
      expect(service.healthcheck?.test, name).to.be.an('array')
      expect(service.stop_grace_period, name).to.match(/^\d+s$/)
      expect(service.deploy?.resources?.limits, name).to.have.all.keys('cpus', 'memory')
    }
  })

  it('gives the processes longer to stop than they take', () => {
    for (const name of ['api', 'projector', 'worker'])
      expect(Number.parseInt(services[name]!.stop_grace_period!, 10), name).to.be.greaterThan(20)
  })

  it('refuses to start without each of its secrets, and holds none', () => {
    for (const secret of ['MILLRACE_SECRET', 'MONGODB_PASSWORD', 'MONGODB_ADMIN_PASSWORD', 'MONGODB_KEY']) {
      const uses = [...text.matchAll(new RegExp(`(?<!\\$)\\$\\{${secret}(.?.?)`, 'g'))]
      expect(uses, secret).not.to.have.length(0)
      for (const [, how] of uses) expect(how, secret).to.equal(':?')
    }
  })

  it('has a MongoDB with a password, as a replica set', () => {
    for (const name of ['mongo-1', 'mongo-2', 'mongo-3']) {
      const started = JSON.stringify(services[name])
      for (const flag of ['--auth', '--keyFile', '--replSet millrace']) expect(started, name).to.include(flag)
    }
    expect(services.api!.environment!.MONGODB_URL).to.match(
      /millrace:\$\{MONGODB_PASSWORD.*@mongo-1.*replicaSet=millrace/,
    )
    expect(services['mongo-replica-set']!.network_mode).to.equal('service:mongo-1')
    for (const name of ['api', 'projector', 'worker'])
      expect(services[name]!.depends_on?.['mongo-replica-set']?.condition).to.equal('service_completed_successfully')
  })

  it('lets nothing but the API be reached from outside', () => {
    expect(networks.servers?.internal).to.equal(true)
    for (const [name, { ports, networks: own }] of all) {
      if (name !== 'api') expect(ports, name).to.equal(undefined)
      if (/^(mongo-\d|eventstore)/.test(name)) expect(own, name).to.deep.equal(['servers'])
    }
  })

  it('names only volumes, networks and services that exist', () => {
    for (const [name, { volumes: mounted = [], networks: own = [], depends_on: needs = {} }] of all) {
      for (const mount of mounted) expect(Object.keys(volumes), name).to.include(mount.split(':')[0])
      for (const network of own) expect(Object.keys(networks), name).to.include(network)
      for (const needed of Object.keys(needs)) expect(Object.keys(services), name).to.include(needed)
    }
  })
})
