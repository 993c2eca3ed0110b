/* The visitor's account: sign up, log in, what has been opened, and the way out. */
import { h, refill } from "./dom.js";
import { problemText } from "./words.js";

function field(label, attributes) {
  return h("label", { class: "field" }, label, h("input", { required: true, ...attributes }));
}

/* A form whose submission runs `send` with its fields' values and shows what is refused. */
function form(t, title, fields, button, send) {
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

  return h(
    "form",
    { class: "account", onsubmit: submit },
    h("h2", null, title),
    fields,
    message,
    h("button", { type: "submit", name: "send", class: "primary" }, button),
  );
}

/** The screen: {node}. */
export function accountScreen(app) {
  const { daemon, t } = app;
  const node = h("section", null, h("p", null, t("loading")));

  const name = () => field(t("account.name"), { name: "name", autocomplete: "username" });
  const password = (key, complete) =>
    field(t(key), {
      name: "password",
      type: "password",
      minlength: 8,
      autocomplete: complete,
    });

  async function show() {
    try {
      const me = await app.refreshMe();
      refill(node, h("h1", null, t("account.title")), me?.name ? member(me) : stranger());
    } catch (problem) {
      refill(node, h("p", { class: "message" }, problemText(t, problem)));
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
      [name(), password("account.password", "current-password")],
      t("account.log-in"),
      async (values) => {
        await daemon.logIn(values.name, values.password);
        await show();
      },
    );
  }

  function signUpForm() {
    return form(
      t,
      t("account.sign-up"),
      [name(), password("account.password", "new-password")],
      t("account.sign-up"),
      async (values) => {
        const player = await daemon.signUp(values.name, values.password);
        await app.refreshMe();
        showCode(player.recovery_code);
      },
    );
  }

  function recoveryForm() {
    return form(
      t,
      t("account.recover"),
      [
        name(),
        field(t("account.code"), { name: "code", autocomplete: "off" }),
        password("account.new-password", "new-password"),
      ],
      t("account.change"),
      async (values) => {
        const player = await daemon.recover(values.name, values.code, values.password);
        await app.refreshMe();
        showCode(player.recovery_code);
      },
    );
  }

  function showCode(code) {
    refill(
      node,
      h("p", null, t("account.recovery")),
      h("p", { class: "code" }, code),
      h("button", { type: "button", class: "primary", onclick: show }, t("account.noted")),
    );
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
      [
        password("account.password", "current-password"),
        field(t("account.new-password"), {
          name: "new_password",
          type: "password",
          minlength: 8,
          autocomplete: "new-password",
        }),
      ],
      t("account.change"),
      async (values) => {
        await daemon.changePassword(values.password, values.new_password);
        await show();
      },
    );
  }

  function deleteForm() {
    return form(
      t,
      t("account.delete"),
      [h("p", null, t("account.delete.sure")), password("account.password", "current-password")],
      t("account.delete"),
      async (values) => {
        await daemon.deleteMe(values.password);
        await show();
      },
    );
  }

  async function leave() {
    await daemon.logOut();
    await show();
  }

  show();
  return { node };
}
