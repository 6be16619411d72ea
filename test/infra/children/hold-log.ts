import { connect } from '../../../infra/sqlite/binding.ts'

/** Holds the write lock of a log for a while, as a killed process does until the system has cleaned it up. */
const [file, milliseconds] = process.argv.slice(2) as [string, string]
const db = connect(file)
db.exec('BEGIN IMMEDIATE')
process.stdout.write('held\n')
setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(milliseconds))
