// A process that does nothing, until it is killed.
process.send?.('ready')
setInterval(() => {}, 1000)
