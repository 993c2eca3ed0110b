/* The visitor's account: sign up, log in, what has been opened, and the way out. */
import { copyText, h, refill } from "./dom.js";
import { problemText } from "./words.js";

/* A field with its label; `rule` says what may stand in it. */
function field(label, attributes, rule = null) {
  return h(
    "label",
    { class: "field" },
    label,
    h("input", { required: true, ...attributes }),
    rule && h("small", null, rule),
  );
}

/* A form whose submission runs `send` with its fields' values and shows what is refused. */
function form(t, title, fields, button, send, { kind = "primary", folded = false } = {}) {
  const message = h("p", { class: "message", role: "alert" });

  async function submit(event) {
    event.preventDefault();
    const node = event.currentTarget;
    const values = Object.fromEntries(new FormData(node));
    message.textContent = "";
    node.elements.send.disabled = true;
    try {
      await send(values);
    } catch (problem) {
      message.textContent = problemText(t, problem);
    }
    node.elements.send.disabled = false;
  }

  const content = [
    fields,
    message,
    h("button", { type: "submit", name: "send", class: kind }, button),
  ];
  return h(
    "form",
    { class: "account", onsubmit: submit },
    folded
      ? h("details", null, h("summary", null, title), content)
      : [h("h2", null, title), content],
  );
}

/** The screen: {node}. */
export function accountScreen(app) {
  const { daemon, t } = app;
  const node = h("section", null, h("p", null, t("loading")));

  const name = (rule = null) =>
    field(t("account.name"), { name: "name", autocomplete: "username" }, rule);
  const password = (key) =>
    field(t(key), { name: "password", type: "password", autocomplete: "current-password" });
  const newPassword = (key, as = "password") =>
    field(
      t(key),
      { name: as, type: "password", minlength: 8, autocomplete: "new-password" },
      t("account.password.rule"),
    );

  /* The account as it is after something has been done to it, which is told. */
  async function showDone(done = "") {
    await show(done);
    app.toTop();
  }

  async function show(done = "") {
    try {
      const me = await app.refreshMe();
      refill(
        node,
        h("h1", null, t("account.title")),
        done !== "" && h("p", { class: "message news", role: "status" }, done),
        me.name !== null ? member(me) : stranger(),
      );
    } catch (problem) {
      refill(node, h("p", { class: "message" }, app.failed(problem)));
    }
  }

  function stranger() {
    return [
      h("p", null, t("account.why")),
      h("div", { class: "forms" }, logInForm(), signUpForm(), recoveryForm()),
    ];
  }

  function logInForm() {
    return form(
      t,
      t("account.log-in"),
      [name(), password("account.password")],
      t("account.log-in"),
      async (values) => {
        await daemon.logIn(values.name, values.password);
        await showDone();
      },
    );
  }

  function signUpForm() {
    return form(
      t,
      t("account.sign-up"),
      [name(t("problem.bad-field/name")), newPassword("account.password")],
      t("account.sign-up"),
      async (values) => {
        const player = await daemon.signUp(values.name, values.password);
        await app.refreshMe();
        showCode(player.recovery_code);
      },
    );
  }

  /* What does not fit here is the code. */
  async function recover(values) {
    try {
      return await daemon.recover(values.name, values.code, values.password);
    } catch (problem) {
      problem.field ??= "/code";
      throw problem;
    }
  }

  function recoveryForm() {
    return form(
      t,
      t("account.recover"),
      [
        name(),
        field(t("account.code"), { name: "code", autocomplete: "off" }),
        newPassword("account.new-password"),
      ],
      t("account.change"),
      async (values) => {
        const player = await recover(values);
        await app.refreshMe();
        showCode(player.recovery_code);
      },
      { folded: true },
    );
  }

  function showCode(code) {
    const place = h("p", { class: "code" }, code);
    const copied = h("span", { role: "status" });

    async function copy() {
      if (await copyText(place)) {
        copied.textContent = t("play.copied");
      }
    }

    refill(
      node,
      h("h1", null, t("account.code")),
      h("p", null, t("account.recovery")),
      place,
      h(
        "p",
        { class: "buttons" },
        h("button", { type: "button", onclick: copy }, t("account.copy")),
        h(
          "button",
          { type: "button", class: "primary", onclick: () => showDone() },
          t("account.noted"),
        ),
        copied,
      ),
    );
    app.toTop();
  }

  function progress(me) {
    return h(
      "ul",
      null,
      me.progress.map(({ rules, level, wins, games }) => {
        const names = { rules: t(`rules.${rules}`), level: t(`level.${level.number}`) };

        return h("li", null, t("account.opened", { ...names, wins, games }));
      }),
    );
  }

  function member(me) {
    return [
      h("h2", null, me.name),
      progress(me),
      h(
        "p",
        { class: "buttons" },
        h("button", { type: "button", onclick: leave }, t("account.log-out")),
        h(
          "a",
          {
            class: "button",
            href: "/v1/me/export",
            download: "draughtsmith.json",
          },
          t("account.export"),
        ),
      ),
      h("div", { class: "forms" }, passwordForm(), deleteForm()),
    ];
  }

  function passwordForm() {
    return form(
      t,
      t("account.change"),
      [password("account.current-password"), newPassword("account.new-password", "new_password")],
      t("account.change"),
      async (values) => {
        await daemon.changePassword(values.password, values.new_password);
        await showDone(t("account.changed"));
      },
    );
  }

  function deleteForm() {
    return form(
      t,
      t("account.delete"),
      [h("p", null, t("account.delete.sure")), password("account.current-password")],
      t("account.delete"),
      async (values) => {
        await daemon.deleteMe(values.password);
        await showDone(t("account.deleted"));
      },
      { kind: "danger" },
    );
  }

  async function leave() {
    await daemon.logOut();
    await showDone(t("account.logged-out"));
  }

  show();
  return { node };
}
