import { expect } from 'chai'
import { keyOfAddress, keyOfWorkspace, subjectsOf } from '../../domain/kernel/model/personal.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { OpenVault } from '../support/projection.ts'

const vault = new OpenVault()
const key = (address: string, workspaceId = 7) => keyOfAddress(vault, workspaceId, address)

describe('the keys of personal data', () => {
  it('of an address are the same in all spellings of its mailbox, and differ between addresses and workspaces', () => {
    expect(key(' Ada@Example.com')).to.equal(key('ada@example.com'))
    expect(key('ada@b\u00fccher.example')).to.equal(key('Ada\u200b@xn--bcher-kva.example'))
    const others = [key('ada@example.com', 8), key('adb@example.com'), key('ada@example.co')]
    expect(new Set([key('ada@example.com'), ...others]).size).to.equal(4)
    for (const one of others) {
      expect(one).to.be.lessThan(keyOfWorkspace(2 ** 49))
      expect(Number.isSafeInteger(one)).to.equal(true)
    }
  })

  it('in an event are those of its person, of its workspace, and of all values that are sealed on their own', () => {
    const sealed = (of: number) => ({ attribute: 'email_address', sealed: { text: 'x', of } })
    const event = {
      stream: 'job-5',
      data: { personal: 'x', filter: { criteria: [sealed(-11), sealed(12)] } },
      metadata: {
        workspace_id: 7,
        follow_ups: { key: 'k', commands: [{ aggregate: 'f', id: 1, command: { wanted: sealed(-13) } }] },
      },
    }
    expect(subjectsOf(event as unknown as RecordedEvent)).to.deep.equal([5, -7, -11, 12, -13])
  })
})
