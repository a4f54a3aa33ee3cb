// The script of schema/PRODUCTION.md: its framed blocks, and between them what stands for the world
// outside of the machine. Run by itself it prints the script and runs nothing of it.
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./run.mjs";

/** The framed blocks of a page, each with its heading and its number below it. */
export function blocks(file) {
  const page = readFileSync(path.join(root, file), "utf8");
  const list = [];
  let heading = "";
  let number = 0;
  for (const { groups } of page.matchAll(
    /^#+ (?<title>.*)$|^```sh\n(?<commands>[\s\S]*?)^```$/gm,
  )) {
    if (groups.title) {
      heading = groups.title;
      number = 0;
    } else list.push({ heading, number: ++number, commands: groups.commands });
  }
  return list;
}

/**
 * What the world does before a block, by the block's heading and number: a machine without anything, a
 * name that leads to it, the clinic's own files, a certificate that browsers know, the next release.
 */
const before = {
  "Install 1": `
    ln -s /mnt/release/bitacora-* .
    systemctl disable --quiet --now nginx caddy prometheus
    ! command -v node npm go
    for address in 127.0.0.1 ::1; do
      echo "$address localhost clinica.example www.clinica.example"
    done > /etc/hosts`,
  // The site tells of a day with other hours when it comes within six weeks.
  "The clinic's facts, texts and pictures 2": `
    rm -r /srv/clinic/*
    cp -r /mnt/clinic/. /srv/clinic/
    sed -i "s/12-08/$(date --date='next week' +%m-%d)/" /srv/clinic/clinic.json`,
  "With Caddy 1": `
    sed -i '0,/^{$/s//{\\n\\tlocal_certs/' /opt/bitacora/schema/production/Caddyfile`,
  "With nginx 1": `
    systemctl disable --quiet --now caddy
    mkdir -p /etc/letsencrypt/live/clinica.example
    cd /etc/letsencrypt/live/clinica.example
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=clinica.example \\
      -addext subjectAltName=DNS:clinica.example,DNS:www.clinica.example -keyout privkey.pem -out fullchain.pem
    cp fullchain.pem /usr/local/share/ca-certificates/clinica.crt
    update-ca-certificates`,
  // The same program under another name: what is tried is the way there and back.
  "Update, and go back 2": `
    tar -C /opt -c $(basename /opt/bitacora-[0-9]*) --transform 's,^bitacora-[^/]*,bitacora-NEW-linux-amd64,' |
      gzip -1 > bitacora-NEW-linux-amd64.tar.gz
    sha256sum bitacora-NEW-linux-amd64.tar.gz > bitacora-NEW-linux-amd64.tar.gz.sha256`,
};

/** What the world does after a block. */
const after = {
  "With Caddy 1": `
    cp /var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt /usr/local/share/ca-certificates/caddy.crt
    update-ca-certificates`,
};

/** The page's blocks in their order, each with what the world does before and after it. */
export const script = blocks("schema/PRODUCTION.md").map((block) => {
  const place = `${block.heading} ${block.number}`;
  return { ...block, before: before[place] ?? "", after: after[place] ?? "" };
});

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  console.log(JSON.stringify(script, null, 2));
