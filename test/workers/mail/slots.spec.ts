import { expect } from 'chai'
import { Share } from '../../../workers/mail/share.ts'
import { Slots } from '../../../workers/mail/slots.ts'

/** Mails of one mailing that begin when their share has slots, and whose outcomes are recorded when told. */
class Sender {
  readonly share: Share
  sent = 0
  #left: number
  #underWay = 0

  constructor(slots: Slots, of: string, count: number) {
    this.#left = count
    this.share = new Share(slots, of, () => {})
  }

  get isDone(): boolean {
    return this.#left === 0 && this.#underWay === 0
  }

  get underWay(): number {
    return this.#underWay
  }

  /** Asks for slots for all that wait, and begins as many as there are. */
  begin(): void {
    if (this.#left > 0) this.share.ask(this.#left)
    const count = Math.min(this.share.free, this.#left)
    if (this.share.free > 0) this.share.use(count)
    this.#left -= count
    this.#underWay += count
  }

  /** Records the outcomes of all that are under way. */
  record(): void {
    for (let index = 0; index < this.#underWay; index++) this.share.spend()
    this.sent += this.#underWay
    this.#underWay = 0
    this.share.recording()()
    if (this.isDone) this.share.end()
  }
}

const underWay = (senders: readonly Sender[]) => senders.reduce((sum, sender) => sum + sender.underWay, 0)

/** Lets all go on, turn by turn, until one is done. @returns how many turns that took */
const until = (senders: readonly Sender[], last: Sender): number => {
  for (let turn = 1; turn <= 1000; turn++) {
    for (const sender of senders) sender.begin()
    expect(underWay(senders)).to.be.at.most(20)
    for (const sender of senders) if (!sender.isDone) sender.record()
    if (last.isDone) return turn
  }
  throw new Error('A mailing waits for ever.')
}

describe('slots of mails under way', () => {
  it('47 5: gives one that is alone all of them, again and again', () => {
    const sender = new Sender(new Slots(20), 'broadcast 1', 200)
    expect(until([sender], sender)).to.equal(10)
  })

  it('47 5: gives a mail that is owed its share at the next record of a broadcast, however much of that waits', () => {
    const slots = new Slots(20)
    const broadcast = Array.from({ length: 8 }, () => new Sender(slots, 'broadcast 1', 10_000))
    for (const sender of broadcast) sender.begin()
    const owed = new Sender(slots, 'mailing 2', 1)
    expect(until([...broadcast, owed], owed)).to.be.at.most(3)
  })

  it('47 5: shares them among those that wait for them, each with as much to send', () => {
    const slots = new Slots(20)
    const senders = ['broadcast 1', 'broadcast 2', 'broadcast 3', 'broadcast 4'].map(
      (of) => new Sender(slots, of, 1000),
    )
    until(senders, senders[0]!)
    for (const { sent } of senders) expect(sent).to.be.within(500, 1000)
  })

  it('47 5: lets the mailings of one broadcast all end', () => {
    const slots = new Slots(20)
    const senders = Array.from({ length: 8 }, () => new Sender(slots, 'broadcast 1', 64))
    for (const sender of senders) until(senders, sender)
    expect(senders.map(({ sent }) => sent)).to.deep.equal(senders.map(() => 64))
  })

  it('47 5: leaves the slots of a broadcast with one mailing, from the end of the one before on', () => {
    const slots = new Slots(20)
    const before = new Sender(slots, 'broadcast 1', 20)
    const [next, last] = [new Sender(slots, 'broadcast 1', 100), new Sender(slots, 'broadcast 1', 100)]
    for (const sender of [before, next, last]) sender.begin()
    // Its slots come back in pieces, and the next one has not looked at the first of them when more come.
    before.share.giveBack(3)
    before.share.giveBack(17)
    for (const sender of [next, last]) sender.begin()
    expect([next.underWay, last.underWay]).to.deep.equal([20, 0])
  })

  it('47 5: gives back what one holds that ends or wants none any more', () => {
    const slots = new Slots(20)
    const [ended, stopped] = [new Sender(slots, 'mailing 1', 5), new Sender(slots, 'mailing 2', 500)]
    ended.begin()
    stopped.begin()
    stopped.share.stop()
    ended.record()
    stopped.record()
    stopped.share.end()
    const next = new Sender(slots, 'mailing 3', 20)
    expect(until([next], next)).to.equal(1)
  })
})
