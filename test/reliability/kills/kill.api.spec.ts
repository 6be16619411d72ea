import { describeKilled } from './killed-while-writing.ts'

describeKilled('the service killed while it writes')
