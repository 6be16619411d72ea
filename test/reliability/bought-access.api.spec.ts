import { expect } from 'chai'
import { ok } from '../support/client.ts'
import { type MemberBrowser, signedIn } from '../support/member.ts'
import { random, seedOfRun } from '../support/random.ts'
import { type Tenant, type TestService, testService } from '../support/service.ts'
import { waitUntilSettled } from '../support/settled.ts'
import { type Shop, shopOf } from '../support/traffic/shop.ts'
import { type Buyer, happens, monthPasses } from './bought/buyer.ts'
import { GOODS, type Good, opens, opensFile } from './bought/oracle.ts'
import { type Shelf, shelfOf } from './bought/shelf.ts'
import { byForm, patience, printFigures } from './form.ts'

const WORKSPACES = byForm(1, 25)
const BUYERS = byForm(20, 40)
/** What happens to each buyer between two months. */
const ACTS = 3
const MONTHS = 2
/** Renewals fall into it whatever the month: the next one is at most 31 days away, the one after it at least 56. */
const MONTH_DAYS = 32

describe('what is bought, at every door', function () {
  this.timeout(patience)
  const numbers = random(seedOfRun())
  let service: TestService
  before(async () => {
    service = await testService()
  })

  interface Place {
    readonly tenant: Tenant
    readonly shop: Shop
    readonly shelf: Shelf
  }

  const buyerIn = async ({ api, workspaceId }: Tenant, number: number): Promise<Buyer> => {
    const email_address = `buyer.${number}@example.com`
    const { id } = ok(await api.post(`/workspaces/${workspaceId}/contacts`, { contact: { email_address } }))
    return { contactId: id, address: email_address, orders: [], banId: undefined, story: [] }
  }

  /** Doors that are open to a buyer, by what is behind them. */
  const openTo = async (member: MemberBrowser, { shelf }: Place, { orders }: Buyer): Promise<readonly string[]> => {
    const open: string[] = []
    const isOpen = async (path: string) => [200, 303].includes((await member.get(path)).status)
    for (const good of GOODS) {
      const { lessonId, spaceId, fileId } = shelf.goods[good]
      if (await isOpen(`/members/lessons/${lessonId}`)) open.push(`course of ${good}`)
      if (await isOpen(`/members/spaces/${spaceId}`)) open.push(`space of ${good}`)
      for (const { id } of orders)
        if (await isOpen(`/members/orders/${id}/downloads/${fileId}`)) open.push(`file of ${good} by order ${id}`)
    }
    return open
  }

  const expectedFor = ({ orders, banId }: Buyer): readonly string[] =>
    GOODS.flatMap((good: Good) => {
      const isBought = orders.some((one) => opens(one, good))
      return [
        ...(isBought ? [`course of ${good}`] : []),
        ...(isBought && banId === undefined ? [`space of ${good}`] : []),
        ...orders.flatMap((one) => (opensFile(one, good) ? [`file of ${good} by order ${one.id}`] : [])),
      ]
    })

  const checked = async (place: Place, buyers: readonly Buyer[]) => {
    await waitUntilSettled(service)
    for (const buyer of buyers) {
      const member = await signedIn(service, place.tenant, buyer.address)
      expect(await openTo(member, place, buyer), buyer.story.join('; ')).to.have.members([...expectedFor(buyer)])
    }
  }

  it('opens courses, spaces and files by one rule, through purchases, moves, refunds, disputes, voids, bans and ends', async () => {
    let doors = 0
    for (let workspace = 0; workspace < WORKSPACES; workspace++) {
      const tenant = await service.tenant({ test: true })
      const shop = await shopOf(tenant)
      const place = { tenant, shop, shelf: await shelfOf(tenant, shop), numbers }
      const buyers: Buyer[] = []
      for (let number = 0; number < BUYERS; number++) buyers.push(await buyerIn(tenant, number))
      for (let month = 0; month <= MONTHS; month++) {
        for (let act = 0; act < ACTS; act++) for (const buyer of buyers) await happens(place, buyer)
        await checked(place, buyers)
        doors += buyers.length
        if (month === MONTHS) break
        await shop.passes(MONTH_DAYS)
        buyers.forEach(monthPasses)
        await checked(place, buyers)
        doors += buyers.length
      }
    }
    printFigures('access', `${WORKSPACES * BUYERS} sequences, looked at ${doors} times at every door`)
  })
})
