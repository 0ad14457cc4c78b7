/** AbuseIPDB's categories by number, from 1. */
const names = [
  'DNS Compromise',
  'DNS Poisoning',
  'Fraud Orders',
  'DDoS Attack',
  'FTP Brute-Force',
  'Ping of Death',
  'Phishing',
  'Fraud VoIP',
  'Open Proxy',
  'Web Spam',
  'Email Spam',
  'Blog Spam',
  'VPN IP',
  'Port Scan',
  'Hacking',
  'SQL Injection',
  'Spoofing',
  'Brute-Force',
  'Bad Web Bot',
  'Exploited Host',
  'Web App Attack',
  'SSH',
  'IoT Targeted',
];

export function abuseCategoryName(number: number): string {
  return names[number - 1] ?? `Category ${number}`;
}
