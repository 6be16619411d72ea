import { expect } from 'chai'
import fc from 'fast-check'
import { type Branch, type TreeNode, walkTree } from '../../../../domain/resources/tree/tree.ts'
import { firstStep, nextStep } from '../../../../domain/resources/tree/walk.ts'
import { seedOfRun } from '../../../support/random.ts'

/** A node of a random tree, before it gets an id. */
interface Shape {
  readonly branches?: readonly [readonly Shape[], readonly Shape[]]
}

interface Node extends TreeNode<Node> {
  readonly branches?: readonly [readonly Node[], readonly Node[]]
}

const { sequence } = fc.letrec<{ node: Shape; sequence: readonly Shape[] }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'split', withCrossShrink: true },
    { weight: 3, arbitrary: fc.constant<Shape>({}) },
    { weight: 2, arbitrary: fc.record({ branches: fc.tuple(tie('sequence'), tie('sequence')) }) },
  ),
  sequence: fc.array(tie('node'), { maxLength: 4, depthIdentifier: 'split' }),
}))

/** Returns a tree of a shape, with ids in the order in which it reads. */
const numbered = (shapes: readonly Shape[], next: () => number): readonly Node[] =>
  shapes.map(({ branches }): Node => {
    const id = next()
    return branches ? { id, branches: [numbered(branches[0], next), numbered(branches[1], next)] } : { id }
  })

const countFrom = (first: number) => {
  let last = first
  return () => last++
}

/** Goes through a tree as its structure reads: each sequence from the beginning, with the chosen branch of each split in its place. */
const interpret = (tree: readonly Node[], choose: (id: number) => Branch): number[] =>
  tree.flatMap(({ id, branches }) => [id, ...(branches ? interpret(branches[choose(id)], choose) : [])])

const walked = (tree: readonly Node[], choose: (id: number) => Branch): number[] => {
  const ids: number[] = []
  for (let node = firstStep(tree); node; node = nextStep(tree, node.id, node.branches && choose(node.id)))
    ids.push(node.id)
  return ids
}

const RUNS = 5000

describe('a walk through a tree', () => {
  it('goes as deep as the tree does', () => {
    const deepest = 50_000
    let tree: readonly Node[] = [{ id: deepest }]
    for (let id = deepest - 1; id >= 0; id--) tree = [{ id, branches: [tree, []] }]
    const found = [...walkTree(tree)]
    expect(found.map(({ node }) => node.id)).to.deep.equal(Array.from({ length: deepest + 1 }, (_, id) => id))
    expect(found.at(-1)).to.deep.include({ depth: deepest, place: { split_id: deepest - 1, branch: 0, index: 0 } })
  })

  it('meets what an interpreter of the structure meets, in 5,000 random trees with random choices', () => {
    const property = fc.property(
      sequence,
      fc.array(fc.constantFrom<Branch[]>(0, 1), { minLength: 1 }),
      (shapes, picks) => {
        const tree = numbered(shapes, countFrom(7))
        const choose = (id: number): Branch => picks[id % picks.length] ?? 0
        expect(walked(tree, choose)).to.deep.equal(interpret(tree, choose))
      },
    )
    fc.assert(property, { numRuns: RUNS, seed: seedOfRun() })
  })

  it('meets both branches and never one node twice, whichever are chosen', () => {
    const property = fc.property(sequence, (shapes) => {
      const tree = numbered(shapes, countFrom(1))
      const all = [...walkTree(tree)].map(({ node }) => node.id)
      const met = new Set<number>()
      // Each node is reached by the choices on the way to it.
      for (const target of all) {
        const towards = (id: number): Branch => {
          const split = [...walkTree(tree)].find(({ node }) => node.id === id)?.node
          return split?.branches && [...walkTree(split.branches[1])].some(({ node }) => node.id === target) ? 1 : 0
        }
        const ids = walked(tree, towards)
        expect(new Set(ids).size, 'no node twice').to.equal(ids.length)
        expect(ids, 'the node that the choices lead to').to.include(target)
        for (const id of ids) met.add(id)
      }
      expect(met.size).to.equal(all.length)
    })
    fc.assert(property, { numRuns: 300, seed: seedOfRun() })
  })

  it('ends behind the last node, and for a node that the tree does not have', () => {
    const property = fc.property(sequence, (shapes) => {
      const tree = numbered(shapes, countFrom(1))
      const last = interpret(tree, () => 1).at(-1)
      if (last !== undefined) expect(nextStep(tree, last, 1)).to.equal(undefined)
      expect(nextStep(tree, 100_000)).to.equal(undefined)
      expect(nextStep(tree, 100_000, 1)).to.equal(undefined)
    })
    fc.assert(property, { numRuns: 1000, seed: seedOfRun() })
  })
})
