// A Slack workspace on this machine: the npm package `emulate` with two people, two channels and our bot in it.
//   node emulator.mjs MODULES PORT EVENTS_URL      MODULES is the folder that holds node_modules
// Bot: token xoxb-bot, user U0PESTLE1, signing secret "shhh". People: tokens xoxp-alice and xoxp-bob.
// The package has no setting for event subscriptions, so its Slack plug-in is asked for its webhooks as it registers.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, port, eventsUrl] = process.argv.slice(2);
const dist = join(resolve(modules), 'node_modules/emulate/dist');
const load = (file) => import(pathToFileURL(join(dist, file)));
const isSlack = (file) => /^dist-.*\.js$/.test(file) && readFileSync(join(dist, file), 'utf8').includes('slackWebhookHeaders');

const { createEmulator } = await load('api.js');
const { slackPlugin } = await load(readdirSync(dist).find(isSlack));

let webhooks;
const register = slackPlugin.register;
slackPlugin.register = function (app, store, hooks, ...rest) {
  webhooks = hooks;
  return register.call(this, app, store, hooks, ...rest);
};

const bot = { app_id: 'A0PESTLE1', bot_user_id: 'U0PESTLE1', bot_id: 'B0PESTLE1' };
const people = ['alice', 'bob'];
const scopes = ['chat:write', 'channels:read', 'channels:history', 'metadata.message:read'];
await createEmulator({
  service: 'slack',
  port: Number(port),
  hostname: '127.0.0.1',
  seed: {
    slack: {
      team: { name: 'Lab', domain: 'lab' },
      signing_secret: 'shhh',
      users: people.map((name) => ({ name, real_name: name, email: `${name}@example.com` })),
      channels: [{ name: 'oncology', topic: 'questions' }, { name: 'safety', topic: 'reports' }],
      oauth_apps: [{ client_id: '1.2', client_secret: 's', name: 'Pestle', redirect_uris: ['http://localhost/'], scopes, ...bot }],
      tokens: [
        { token: 'xoxb-bot', user: bot.bot_user_id, type: 'bot', ...bot },
        ...people.map((name) => ({ token: `xoxp-${name}`, user: name, type: 'user' })),
      ],
    },
  },
});
webhooks.register({ url: eventsUrl, events: ['*'], active: true, owner: 'slack' });
console.log('ready');
