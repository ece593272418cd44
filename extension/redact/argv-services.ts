/**
 * Where programs take secrets: databases, HTTP, registries. Data: a row documents and tests itself.
 *
 * @module
 */
import { type ArgvRule, row } from "./argv-row.ts";

/** The rows. */
export const SERVICE_RULES: readonly ArgvRule[] = [
  // databases
  row(
    "database-password",
    "mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlslap mysqlbinlog mysqlpump mysqlsh mariadb mariadb-dump mariadb-admin mycli xtrabackup innobackupex pt-query-digest",
    {
      glued: "-p",
      miss: [
        "mysql -h db -P 3306 -u root -p app",
        'mysql -u root -p"$MYSQL_PWD" app',
      ],
    },
    "mysql -uroot -p«S3cretPw» -h db app",
    "docker exec db mysqldump -u root -p'«S3cret Pw»' app",
  ),
  row("database-password", "redis-cli valkey-cli keydb-cli redli iredis", {
    flags: "-a --pass --askpass-value",
  }, "redis-cli -h cache -a «r3d1sPass» FLUSHALL"),
  row(
    "database-password",
    "mongosh mongo mongodump mongorestore mongoexport mongoimport mongostat mongotop",
    {
      flags: "-p --password",
      glued: "-p",
      miss: ["mongosh --port 27017 -u admin -p"],
    },
    "mongosh -u admin -p «m0ngoPw» --host db",
  ),
  row("database-password", "sqlcmd bcp osql isql tsql mssql-cli", {
    flags: "-P --password",
    glued: "-P",
  }, "sqlcmd -S db -U sa -P '«MsSql!Pw1»' -Q 'select 1'"),
  row("database-password", "sqlplus expdp impdp exp imp sqlldr rman sqlcl", {
    at: 0,
    part: "slash",
    miss: ["sqlplus / as sysdba"],
  }, "sqlplus scott/«t1gerPw»@db.example:1521/xe"),
  row(
    "database-password",
    "cqlsh clickhouse-client clickhouse clickhouse-local cypher-shell neo4j-admin influx couchbase-cli cbq couchdb snowsql presto trino beeline vsql nzsql ksql arangosh cbbackup neo4j",
    {
      flags: "-p -P --password --pass --server.password -w",
      miss: ["influx -p"],
    },
    "cypher-shell -u neo4j -p «n3o4jPw» 'MATCH (n) RETURN n'",
    "beeline -u jdbc:hive2://h:10000 -n me -p «h1vePw»",
  ),
  row("database-password", "influx", {
    flags: "-t --token",
    miss: ['influx ping -t "$INFLUX_TOKEN"'],
  }, "influx config create -n x -t «1nflux-Tok» -a"),
  row("database-password", "neo4j-admin", {
    when: "set-initial-password",
    at: 0,
  }, "neo4j-admin dbms set-initial-password «n3o4jInit»"),
  row(
    "database-password",
    "redis-cli valkey-cli",
    { when: "auth", at: -1 },
    "redis-cli AUTH «r3d1sPass»",
  ),
  row("database-password", "redis-cli valkey-cli", {
    when: "requirepass",
    at: 0,
  }, "redis-cli CONFIG SET requirepass «r3d1sNew»"),
  row(
    "database-password",
    "rabbitmqctl",
    { when: "add_user", at: 1 },
    "rabbitmqctl add_user app «r4bbitPw»",
  ),
  row(
    "database-password",
    "rabbitmqctl",
    { when: "change_password", at: 1 },
    "rabbitmqctl change_password app «r4bbitPw»",
  ),
  row(
    "database-password",
    "mosquitto_pub mosquitto_sub mqtt",
    {
      flags: "-P --pw -pw --password",
      miss: ["mosquitto_pub -h broker -p 1883 -t a"],
    },
    "mosquitto_pub -h broker -u me -P «mqttPw1» -t a -m b",
  ),
  row("database-password", "isql", {
    at: 2,
    unless: /^-[SUD]/,
    miss: ["isql dsn user", "isql -S db1 -U sa -D shop2024"],
  }, "isql dsn me «1sqlPw99»"),
  row("database-password", "db2", {
    when: "connect using",
    at: 0,
    miss: ["db2 connect to x"],
  }, "db2 connect to x user me using «db2Pw999»"),
  row(
    "registry-login",
    "hatch",
    { when: "publish", flags: "-a --auth" },
    "hatch publish -u me -a «h4tchPw»",
  ),
  row(
    "registry-login",
    "altool xcrun iTMSTransporter",
    {
      flags: "-p --password",
      unless: /^(?:simctl|swift|notarytool|stapler)$/,
      miss: ["xcrun notarytool submit a.zip -p AC_PROFILE1 --wait"],
    },
    "xcrun altool --upload-app -u me@b.example -p «abcd-efgh-ijkl-mnop»",
  ),
  row(
    "database-password",
    "mosquitto_passwd",
    {
      at: 2,
      needs: /^-[A-Za-z]{0,4}b$/,
      miss: ["mosquitto_passwd -c passwords bob"],
    },
    "mosquitto_passwd -b passwords bob «mqttPw1»",
    "mosquitto_passwd -c -b passwords bob «mqttPw1»",
  ),
  // HTTP
  row(
    "web-login",
    "curl curlie",
    {
      flags: "-u --user --proxy-user -U --tlsuser -E --cert --proxy-cert",
      glued: "-u",
      cluster: true,
      part: "colon",
      miss: ['curl -u "$USER:$PASS" https://x', "curl -u admin https://x"],
    },
    "curl -u admin:«s3cr3t» https://jenkins.example/job/x/build -X POST",
    'curl --user "deploy:«p4ss:word»" https://nexus.example/',
    "curl -sSu me:«t0kenish» https://x",
  ),
  row("web-login", "curl curlie wget aria2c", {
    flags:
      "--oauth2-bearer --pass --proxy-pass --tlspassword --proxy-tlspassword --http-password --ftp-password --http-passwd --ftp-passwd --proxy-password --password",
  }, "wget --user me --password «w3getPw» https://example.com/f"),
  row("web-login", "curl curlie", {
    flags: "-b --cookie",
    glued: "-b",
    cluster: true,
    part: "cookie",
    miss: ["curl -b jar.txt https://x"],
  }, 'curl -b "session=«+64u»; theme=dark" https://app.example/admin'),
  row("web-login", "http https xh xhs httpie", {
    flags: "-a --auth",
    part: "colon",
    miss: ["http -a me https://x"],
  }, "http -a admin:«ht1ePw» https://example.com/x"),
  row("web-login", "ab siege wrk hey bombardier vegeta k6 oha", {
    flags: "-A -a -P",
    part: "colon",
  }, "ab -n 10 -A me:«b3nchPw» https://x/"),
  row(
    "web-login",
    "htpasswd",
    {
      at: -1,
      needs: /^-[A-Za-z]{0,5}b/,
      miss: ["htpasswd -c .htpasswd admin"],
    },
    "htpasswd -bc .htpasswd admin «htpw99»",
    "htpasswd -nbB admin «htpw99»",
  ),
  row(
    "web-login",
    "caddy",
    { when: "hash-password", flags: "--plaintext -p" },
    "caddy hash-password --plaintext «c4ddyPw»",
  ),
  // registries
  row(
    "registry-login",
    "docker podman nerdctl buildah skopeo crane oras helm helmfile img regctl finch ctr lerna",
    {
      when: "login",
      flags: "-p --password --secret",
      glued: "-p",
      miss: [
        "docker run -p 8080:80 -d nginx",
        "docker login -u ci --password-stdin registry.example < pw.txt",
      ],
    },
    "docker login -u ci -p «dckrTok3n» registry.example",
    'echo "«Reg1stryPw»" | docker login -u ci --password-stdin registry.example',
  ),
  row("registry-login", "skopeo buildah podman", {
    flags: "--creds --src-creds --dest-creds",
    part: "colon",
  }, "skopeo copy --dest-creds me:«sk0peoPw» docker://a docker://b"),
  row("registry-login", "ctr nerdctl crictl", {
    flags: "-u --user --creds",
    part: "colon",
    miss: ["nerdctl run -u 1000:1000 alpine id"],
  }, "crictl pull --creds me:«cr1ctlPw» registry.example/a"),
  row(
    "registry-login",
    "twine poetry flit hatch",
    { flags: "-p --password" },
    "twine upload -u me -p «tw1nePw» dist/*",
  ),
  row(
    "registry-login",
    "poetry",
    { when: "config", at: 1, named: true },
    "poetry config pypi-token.pypi «p03tryTok»",
  ),
  row("registry-login", "bundle bundler", {
    when: "config",
    at: -1,
    part: "colon",
  }, "bundle config set --local gems.example.com me:«bundl3P»"),
  row("registry-login", "poetry composer bundle bundler", {
    when: "config",
    at: 2,
    named: true,
  }, "poetry config http-basic.corp me «p03tryPw»"),
  row("registry-login", "composer", {
    when: "config",
    at: 1,
    needs: /^(?:git(?:hub|lab)-(?:oauth|token)|bitbucket-oauth|bearer)\./,
    miss: ["composer config vendor-dir lib"],
  }, "composer config -g github-oauth.github.com «+40h»"),
  row("registry-login", "npm yarn pnpm bun", {
    when: "config set",
    at: 1,
    named: true,
    miss: ["npm config set registry https://npm.example.org/"],
  }, "npm config set //npm.example.org/:_authToken «+8h-+4h-+4h-+4h-+12h»"),
  row(
    "registry-login",
    "npm yarn pnpm",
    { flags: "--otp" },
    "npm publish --otp «482913»",
  ),
  row("registry-login", "nuget dotnet", {
    when: "push",
    flags: "-k --api-key -ApiKey",
  }, "dotnet nuget push a.nupkg -k «n4getKey» -s https://x"),
  row(
    "registry-login",
    "nuget",
    { when: "setapikey", at: 0 },
    "nuget setapikey «n4getKey» -Source https://x",
  ),
  row(
    "registry-login",
    "nuget dotnet",
    { flags: "-p --password -Password" },
    "dotnet nuget add source https://x -n corp -u me -p «n4getPw»",
  ),
  row(
    "registry-login",
    "cargo",
    { when: "login", at: 0 },
    "cargo login «c4rgoTok»",
  ),
  row(
    "registry-login",
    "gem",
    { flags: "-k --key", when: "push" },
    "gem push a.gem --key «g3mKey1»",
  ),
  row("registry-login", "conan", {
    flags: "-p --password",
    when: "user",
    miss: ["conan user -p"],
  }, "conan user -p «c0nanPw» -r corp me"),
  row("registry-login", "jf jfrog", {
    flags: "--password --access-token --apikey --refresh-token",
  }, "jf c add --url https://x --user me --password «jfr0gPw»"),
];
