/**
 * Where programs take secrets: hosts, archives, keys, accounts, tools. Data: a row documents and tests itself.
 *
 * @module
 */
import { type ArgvRule, row } from "./argv-row.ts";

/** The rows. */
export const HOST_RULES: readonly ArgvRule[] = [
  // remote
  row(
    "remote-password",
    "sshpass",
    {
      flags: "-p",
      glued: "-p",
      miss: ["ssh -p 2222 user@host uptime", "sshpass -f pw.txt ssh h"],
    },
    "sshpass -p '«R00t!pw»' ssh root@10.0.0.5 uptime",
    "sshpass -p«R00tpw1» ssh h",
  ),
  row(
    "remote-password",
    "ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami ldappasswd ldapcompare",
    {
      flags: "-w",
      miss: ["ldapsearch -x -H ldap://dc -b dc=acme -s sub uid=bob"],
    },
    "ldapsearch -x -H ldap://dc -D cn=admin,dc=acme -w '«Direct0ry»' -b dc=acme uid=bob",
  ),
  row(
    "remote-password",
    "smbclient",
    { at: 1, mixed: true, miss: ["smbclient //srv/share -U bob"] },
    "smbclient //srv/share «smbP0s1» -U bob",
  ),
  row(
    "remote-password",
    "ldappasswd",
    { flags: "-s -a" },
    "ldappasswd -D cn=admin -w «Direct0ry» -s «n3wDirPw» uid=bob",
  ),
  row(
    "remote-password",
    "smbclient rpcclient smbget net winexe nmblookup smbcacls",
    { flags: "-U --user --username", part: "percent" },
    "smbclient //srv/share -U bob%«smbPw99» -c ls",
  ),
  row(
    "remote-password",
    "smbmap nxc netexec crackmapexec cme evil-winrm hydra medusa xfreerdp xfreerdp3 wlfreerdp sdl-freerdp rdesktop impacket-psexec winrs psexec psexec64 paexec schtasks wmic sc remmina mstsc",
    {
      flags: "-p --password /p -password /rp -pw -P",
      glued: "/p: -p: /rp: -p:",
      miss: ["nxc smb 10.0.0.1 -p pw.txt"],
    },
    "evil-winrm -i 10.0.0.1 -u admin -p '«W1nRm!pw»'",
    "xfreerdp /v:host /u:me /p:«rdpPw1x»",
  ),
  row(
    "remote-password",
    "plink pscp psftp kitty",
    { flags: "-pw" },
    "plink -ssh -pw «plinkPw1» me@host ls",
  ),
  row("remote-password", "net", {
    when: "user",
    at: 1,
    miss: ["net user bob /delete", "net user bob"],
  }, "net user bob «P@ss12x» /add"),
  row("remote-password", "net", {
    when: "use",
    at: -1,
    needs: /^\/user/i,
    miss: ["net use Z: \\\\\\\\srv\\\\share"],
  }, "net use \\\\srv\\share «P@ss12x» /user:me"),
  row(
    "database-password",
    "mysqladmin mariadb-admin",
    { when: "password", at: 0 },
    "mysqladmin -u root password '«newR00t»'",
  ),
  row(
    "secret-store",
    "dotnet",
    { when: "user-secrets set", at: 1 },
    'dotnet user-secrets set "Db:Password" "«d0tnetPw»"',
  ),
  row(
    "remote-password",
    "cmdkey runas",
    { glued: "/pass:" },
    "cmdkey /add:srv /user:me /pass:«cmdk3yPw»",
  ),
  row(
    "remote-password",
    "lftp",
    { flags: "-u --user", part: "comma" },
    "lftp -u me,«lftpPw1» ftp.example.com",
  ),
  row(
    "remote-password",
    "ncftpput ncftpget ncftp ncftpls",
    { flags: "-p" },
    "ncftpput -u me -p «nc6tpPw» host / f",
  ),
  row(
    "remote-password",
    "ipmitool",
    { flags: "-P" },
    "ipmitool -H bmc -U root -P «c4lvinX» power status",
  ),
  row("remote-password", "snmpwalk snmpget snmpset snmpbulkwalk", {
    flags: "-c -A -X",
    miss: ["snmpwalk -v2c -c public host"],
  }, "snmpwalk -v2c -c «c0mmun1ty» host"),
  row(
    "remote-password",
    "nmcli",
    { when: "password", at: 0 },
    "nmcli dev wifi connect Home password «w1fiPw99»",
  ),
  row(
    "remote-password",
    "wpa_passphrase",
    { at: 1 },
    "wpa_passphrase Home «w1fiPw99»",
  ),
  row("remote-password", "vncviewer x11vnc vncserver", {
    flags: "-passwd -password",
  }, "x11vnc -passwd «vncPw12»"),
  row(
    "remote-password",
    "tabcmd tableau",
    { flags: "-p --password" },
    "tabcmd login -s https://x -u me -p «t4bPw1x»",
  ),
  row("remote-password", "mount mount.cifs mount_smbfs", {
    flags: "-o",
    part: "equals",
    needs: /passw?o?r?d?=/,
    miss: ["mount -o ro /dev/sda1 /mnt"],
  }, "mount -t cifs //srv/s /mnt -o user=me,password=«c1fsPw1»"),
  row("remote-password", "evilwinrm bitcoin-cli bitcoind litecoin-cli", {
    flags: "-rpcpassword",
  }, "bitcoin-cli -rpcuser=a -rpcpassword=«rpcPw12» getinfo"),
  // archives
  row("archive-password", "zip unzip zipcloak zipinfo bsdtar", {
    flags: "-P --password --passphrase",
    glued: "-P",
    cluster: true,
    miss: ["rsync -avP dist/ /srv/"],
  }, "zip -P «zipLock88» -r out.zip secrets/"),
  row("archive-password", "7z 7za 7zr 7zz rar unrar", {
    glued: "-p -hp",
    miss: ["7z x a.7z -p"],
  }, "7z a -p«s3venZ» -mhe=on a.7z d"),
  row("remote-password", "tsh realm", {
    stdin: true,
    miss: ["tsh status < /dev/null"],
  }, "tsh login --user=me <<< '«t3leP0rt»'"),
  row("remote-password", "netsh", {
    glued: "keyMaterial=",
    miss: ["netsh wlan show profile name=x key=clear"],
  }, "netsh wlan set profileparameter name=x keyMaterial=«n3tshKey»"),
  row("remote-password", "knife", {
    flags: "-P --connection-password --winrm-password --ssh-password",
  }, "knife bootstrap h -U me -P «kn1fePw»"),
  row("account-password", "reg", {
    when: "add",
    needs: /^["']?[\w-]{0,40}(?:pass(?:word)?|pwd|secret|token|psk)["']?$/i,
    flags: "/d",
    miss: ["reg add HKLM\\x /v Mode /d fast1 /f"],
  }, "reg add HKLM\\x /v DefaultPassword /d «r3gPw123» /f"),
  row("archive-password", "qpdf pdftk pdftotext gs", {
    flags: "--password -upw -opw user_pw owner_pw input_pw",
  }, "pdftk a.pdf output b.pdf user_pw «pdfPw12»"),
  ...[0, 1].map((at) =>
    row(
      "archive-password",
      "qpdf",
      {
        when: "--encrypt",
        at,
        needs: /^(?:40|128|256)$/,
        miss: ["qpdf --encrypt --bits=256 -- in1.pdf out1.pdf"],
      },
      `qpdf --encrypt ${
        at === 0 ? "«us3rPw9» a1" : "a1 «0wnerPw9»"
      } 256 -- a b`,
    )
  ),
  row("archive-password", "mkpasswd argon2 bcrypt", {
    at: -1,
    miss: ["mkpasswd -m sha-512"],
  }, "mkpasswd -m sha-512 «mkPw123»"),
  // keys
  row("key-passphrase", "openssl", {
    flags: "-passin -passout -pass -password -passwd",
    part: "pass",
    miss: [
      "openssl rand -hex 32",
      "openssl enc -aes-256-cbc -pass file:pw.txt -in a",
    ],
  }, "openssl rsa -in k.pem -passin pass:«opensesame» -out o.pem"),
  row("key-passphrase", "openssl", {
    flags: "-k -K -iv -hmac",
    miss: ["openssl pkcs12 -export -inkey k.pem -in c.pem"],
  }, "openssl enc -aes-256-cbc -k «3ncPw12» -in a"),
  row(
    "key-passphrase",
    "openssl",
    { when: "passwd", at: -1 },
    "openssl passwd -6 «0penPw1»",
  ),
  row("key-passphrase", "openssl", {
    when: "passwd -stdin",
    stdin: true,
    miss: ["openssl passwd -6 -stdin < pw.txt"],
  }, "echo '«0penPw-1»' | openssl passwd -6 -stdin"),
  row("key-passphrase", "gpg gpg2 duplicity", {
    flags: "--passphrase --new-passphrase",
  }, 'gpg --batch --passphrase "«my gpg phrase»" -d f.gpg'),
  row("key-passphrase", "ssh-keygen", {
    flags: "-N -P",
    miss: [
      'ssh-keygen -t ed25519 -N "" -f k',
      "ssh -i ~/.ssh/id_ed25519 ubuntu@10.0.0.1 ls",
    ],
  }, 'ssh-keygen -t ed25519 -f k -N "«keyphrase1»"'),
  row(
    "key-passphrase",
    "keytool jarsigner apksigner bundletool",
    {
      flags:
        "-storepass -keypass -srcstorepass -deststorepass -destkeypass -srckeypass -new",
      miss: ["keytool -list -keystore k.jks"],
    },
    "keytool -genkey -keystore k.jks -storepass «ch4ngeit9» -keypass «k3ypw99»",
  ),
  row("key-passphrase", "apksigner bundletool", {
    flags: "--ks-pass --key-pass",
    part: "pass",
  }, "apksigner sign --ks k.jks --ks-pass pass:«4pkPw12» a.apk"),
  row("key-passphrase", "signtool osslsigncode certutil", {
    flags: "/p -p -pass",
    miss: ["certutil -hashfile f SHA256"],
  }, "signtool sign /f c.pfx /p «s1gnPw1» a.exe"),
  row("key-passphrase", "wg", {
    when: "private-key",
    at: 0,
    miss: ["wg set wg0 private-key /etc/wg.key"],
  }, "wg set wg0 private-key «+43b=»"),
  row("key-passphrase", "cryptsetup veracrypt fscrypt zfs borg restic", {
    flags: "-p --password",
    stdin: true,
    miss: ["restic -r /srv/r snapshots"],
  }, "echo -n '«luksPw12»' | cryptsetup open /dev/sdb1 c -"),
  row("key-passphrase", "cast forge geth solana starkli anchor", {
    flags: "--private-key --mnemonic --password",
  }, "cast send --private-key 0x«+64h» 0xabc".replace("0x«", "«0x")),
  // accounts
  row(
    "account-password",
    "chpasswd",
    { stdin: true, part: "colon" },
    "echo 'deploy:«Un1x-Login»' | sudo chpasswd",
  ),
  row("account-password", "useradd usermod adduser", {
    flags: "-p --password",
    miss: ["useradd -m -s /bin/bash bob"],
  }, "useradd -m -p «us3rPw1» bob"),
  row("account-password", "passwd smbpasswd vncpasswd kinit su", {
    stdin: true,
  }, "echo '«n3wPw12»' | passwd --stdin bob"),
  row("account-password", "sudo", {
    stdin: true,
    needs: /^-[A-Za-z]{0,4}S$|^--stdin$/,
    miss: ["echo hello | sudo tee /etc/x"],
  }, "echo '«sud0Pw1»' | sudo -S apt update"),
  row("account-password", "grafana-cli grafana", {
    when: "reset-admin-password",
    at: 0,
  }, "grafana-cli admin reset-admin-password «gr4fPw1»"),
  row("account-password", "wp", {
    flags: "--user_pass --dbpass --admin_password --prompt",
  }, "wp user create bob b@example.com --user_pass=«wpPw123»"),
  row(
    "account-password",
    "drush",
    { flags: "--account-pass --db-url" },
    "drush si --account-pass=«drush1x»",
  ),
  row(
    "account-password",
    "dscl",
    { when: "-passwd", at: -1 },
    "dscl . -passwd /Users/bob «m4cPw99»",
  ),
  row(
    "account-password",
    "elasticsearch-users",
    { flags: "-p" },
    "elasticsearch-users useradd bob -p «3lasticPw» -r superuser",
  ),
  row(
    "account-password",
    "createuser",
    { flags: "--pwprompt-value" },
    "createuser --pwprompt-value «x9y8z7w» bob",
  ),
  // tools
  row("tool-token", "oathtool", { at: -1 }, "oathtool --totp -b «+32U»"),
  row("tool-token", "snyk", { when: "auth", at: 0 }, "snyk auth «snykT0k»"),
  row("tool-token", "wandb", { when: "login", at: 0 }, "wandb login «+40h»"),
  row(
    "tool-token",
    "codecov codecovcli coveralls",
    { flags: "-t --token" },
    "codecov -t «c0decovT» -f cov.xml",
  ),
  row("tool-token", "sonar-scanner mvn gradle gradlew", {
    glued: "-Dsonar.login= -Dsonar.token= -Dsonar.password=",
  }, "sonar-scanner -Dsonar.login=«s0narTok»"),
  row(
    "secret-store",
    "circleci",
    { when: "context store-secret", stdin: true },
    "circleci context store-secret github o ctx NAME <<< «c1rcleS3»",
  ),
  row(
    "tool-token",
    "jenkins-cli jenkins-cli.jar java",
    { flags: "-auth", part: "colon" },
    "java -jar jenkins-cli.jar -s https://j -auth me:«j3nk1nsT» list-jobs",
  ),
  row(
    "tool-token",
    "circleci",
    { when: "setup", flags: "--token" },
    "circleci setup --token «c1rcleT0k»",
  ),
  row("tool-token", "databricks", {
    flags: "--token",
    stdin: true,
    when: "configure",
  }, "databricks configure --token <<< «d4tabrick»"),
  row(
    "tool-token",
    "aider",
    { flags: "--api-key", part: "equals" },
    "aider --api-key deepseek=«d33pS33k9»",
  ),
  row(
    "tool-token",
    "git",
    {
      when: "credential approve",
      stdin: true,
      part: "equals",
      miss: ["git log -p --follow src/token.ts"],
    },
    "printf 'protocol=https\\nhost=h\\npassword=«g1tCr3d»\\n' | git credential approve",
  ),
  row("tool-token", "codex claude gemini", {
    when: "login",
    stdin: true,
    miss: ['claude -p "summarise the auth token docs"'],
  }, "echo '«c0dexK3y»' | codex login --with-api-key"),
  row(
    "tool-token",
    "tea hub bb jira",
    { flags: "--token -t", when: "login" },
    "tea login add --url https://x -t «t34Tok99»",
  ),
  row("tool-token", "base64", {
    stdin: true,
    part: "colon",
    miss: ["echo -n hello | base64"],
  }, "echo -n 'admin:«b4sicPw»' | base64"),
];
