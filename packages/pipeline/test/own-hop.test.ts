import { expect, it } from 'vitest';
import { isOwnHop } from '../src/intake/own-hop.ts';

it.each([
  'from mx6.example (localhost [127.0.0.1]) by mx6.example (Authentication Milter) with ESMTP id 1; date',
  'from localhost (localhost.localdomain [127.0.0.1]) by mail.example (Postfix) with ESMTP id 1; date',
  'from localhost (localhost [IPv6:::1]) by mail.example (Postfix) with ESMTP id 1; date',
  'from localhost ([127.0.0.1]) by localhost (mail.example) (amavisd-new, port 10024) with ESMTP id 1; date',
  'by relay.example (Postfix, from userid 112) id 1; date',
  'from mail.example by imap.example (Dovecot) with LMTP id 1 for <a@mail.example>; date',
  'from mail.example ([127.0.0.1]) by imap.example with LMTPS id 1 (envelope-from <a@b.example>); date',
  'from compute2 (compute2.example [10.202.2.42]) by sloti7 (Cyrus 3.1.7) with LMTPA; date',
  'from mx6 ([10.202.2.205]) by compute2 (LMTPProxy); date',
])('a hop on the own side is %s', (received) => {
  expect(isOwnHop(received)).toBe(true);
});

it.each([
  'from mx.reporter.example (mx.reporter.example [203.0.113.5]) by mail.example (Postfix) with ESMTPS id 1; date',
  'from [127.0.0.1] (evil.example [203.0.113.5]) by mail.example (Postfix) with ESMTP id 1; date',
  'from localhost (localhost [127.0.0.1]) by x (evil.example [203.0.113.5]) by mail.example with ESMTP id 1; date',
  'from localhost (localhost [127.0.0.1].evil.example [203.0.113.5]) by mail.example with ESMTP id 1; date',
  'from x by y with LMTP (evil.example [203.0.113.5]) by mail.example (Postfix) with ESMTP id 1; date',
  'from x by y (LMTPProxy) (evil.example [203.0.113.5]) by mail.example (Postfix) with ESMTP id 1; date',
  'from by (Postfix, from userid 1) ([203.0.113.5]) by mail.example with ESMTP id 1; date',
  'from evil.example (unknown [172.17.0.1]) by mail.example (Postfix) with ESMTP id 1; date',
  'from LMTP (evil.example [203.0.113.5]) by mail.example (Postfix) with ESMTP id 1 for <with@LMTP.example>; date',
  'by 10.50.182.161 with SMTP id 1; date',
  'from localhost by mail.example with SMTP id 1; date',
  '',
])('a stranger may have come by %s', (received) => {
  expect(isOwnHop(received)).toBe(false);
});
