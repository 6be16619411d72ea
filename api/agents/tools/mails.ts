import { answerOf } from '../calls/answer.ts'
import { carryOut, routeOf } from '../calls/carry-out.ts'
import { questionAbout } from '../calls/question.ts'
import { idOf, mayRead, mayWrite, one } from './task.ts'
import { tool } from './tool.ts'

const broadcastId = idOf('Id of a broadcast')

export const broadcastResults = tool({
  name: 'broadcast_results',
  title: 'Results of a broadcast',
  description: 'Returns a broadcast with how far it is, what became of its mails, opens, clicks and sales.',
  input: { broadcast_id: broadcastId },
  data: 'broadcast, results',
  level: 'read',
  needs: () => [mayRead('emails')],
  run: async ({ broadcast_id }, { agent }) => ({
    says: {},
    data: {
      broadcast: await one(agent, 'getEmailsBroadcast', broadcast_id),
      results: await one(agent, 'getEmailsBroadcastStats', broadcast_id),
    },
  }),
})

export const pauseBroadcast = tool({
  name: 'pause_broadcast',
  title: 'Pause a broadcast',
  description: 'Pauses a broadcast that is being sent. What is under way still goes out.',
  input: { broadcast_id: broadcastId },
  data: 'The broadcast',
  level: 'write',
  needs: () => [mayWrite('emails')],
  run: async ({ broadcast_id }, { agent, key }) =>
    answerOf(await carryOut(agent, 'pauseEmailsBroadcast', { path: { id: broadcast_id } }, key)),
})

export const resumeBroadcast = tool({
  name: 'resume_broadcast',
  title: 'Resume a broadcast',
  description: 'Goes on sending a broadcast that was paused. Asks the user first, since it mails many people.',
  input: { broadcast_id: broadcastId },
  data: 'The broadcast',
  level: 'write',
  needs: () => [mayWrite('emails')],
  question: ({ broadcast_id }, agent, isForProgram) =>
    questionAbout(agent, routeOf(agent, 'resumeEmailsBroadcast'), { path: { id: broadcast_id } }, isForProgram),
  run: async ({ broadcast_id }, { agent, key }) =>
    answerOf(await carryOut(agent, 'resumeEmailsBroadcast', { path: { id: broadcast_id } }, key)),
})
