import { ServiceProcess } from './service-process.ts';

/** Mocha root plugin (`require` in .mocharc.built.yml): the services that tests start are the built one. */
ServiceProcess.program = ['dist/main.js'];
