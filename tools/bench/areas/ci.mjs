// @ts-check
// What a submission waits for, in a clone of what is committed. Takes half an hour, so it is only measured when it is named.
import { inClone, wallSeconds } from '../commands.mjs'

/** @import { Bench } from '../area.mjs' */

/** @param {Bench} bench */
export default async function (bench) {
  inClone((clone) => {
    bench.value({
      name: '`.ci/run`, with PostgreSQL and Redis, the installation included',
      value: wallSeconds('bash', ['.ci/run'], clone) / 60,
      unit: 'minutes',
      bar: 30,
      from: 'what a reviewer waits for',
    })
  })
}
