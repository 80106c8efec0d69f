// For PM2: `pm2 start ecosystem.config.cjs`, then `pm2 reload cluster` for a rolling restart.
module.exports = {
  apps: [
    {
      name: 'cluster',
      script: './server.js',
      exec_mode: 'cluster',
      instances: process.env.WORKERS ?? 'max',
      // The worker sends "ready" when it listens. PM2 ends the old worker only after that.
      wait_ready: true,
      listen_timeout: 10_000,
      // Milliseconds between SIGINT and SIGKILL: longer than `deadline` of nozomi/graceful.
      kill_timeout: 20_000,
    },
  ],
};
